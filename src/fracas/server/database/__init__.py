"""The server's database: tables, the writer, readers and migrations, on SQLite and PostgreSQL."""
