"""Commands that play many battles and measure them; each module is named after its command."""
