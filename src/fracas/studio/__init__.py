"""The studio: a local web page in which you edit a scenario and see its odds as you type."""
