"""The studio: a page of this machine in which one edits a scenario and sees at once what it is worth."""
