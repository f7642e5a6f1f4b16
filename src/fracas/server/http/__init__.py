"""What every route shares: problems, authorisation, idempotency, limits, cursors, links and the OpenAPI document."""
