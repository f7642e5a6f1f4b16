"""Results as one HTML file that opens without a network: charts, tables, inputs, versions, the command."""
