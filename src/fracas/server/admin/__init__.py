"""Services of `fracas server`: accounts, backups, export and import, migrations."""
