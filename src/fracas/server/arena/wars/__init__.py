"""Guild wars: pairing, fighting and telling them."""
