"""Services of `fracas admin`: accounts, backups, export and import, migrations."""
