"""Classes for teachers: what they are, and what their routes answer."""
