"""Turns the events of a stacks battle into a story and drawings of the field."""
