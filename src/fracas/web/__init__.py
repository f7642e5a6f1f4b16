"""The player: a battle as one HTML file that shows it, opens from disk and plays it again by itself."""
