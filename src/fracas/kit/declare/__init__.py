"""What authors of games import: records, fields, events, rules, dice. It knows no files, no text for people, no lab."""
