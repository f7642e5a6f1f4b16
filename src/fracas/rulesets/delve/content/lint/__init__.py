"""Part of content: lints delve input that is valid but probably a mistake."""
