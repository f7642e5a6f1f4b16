"""Migrations of the database's schema, one file per version, run by Alembic."""
