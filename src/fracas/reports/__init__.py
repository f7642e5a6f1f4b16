"""Reports: results as one HTML file that opens offline, with charts, tables, inputs, versions and the command."""
