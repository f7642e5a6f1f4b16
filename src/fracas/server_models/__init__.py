"""What a server answers: one model per answer, made by its query, in the OpenAPI document, and read by the client.

Keys that a server leaves out are fields that were not set. Times are ISO 8601 in UTC, digests are hex digits, and
ratings are shown numbers: 1500 is average.
"""
