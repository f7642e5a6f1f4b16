"""What several commands share: parameters, output, progress, cells."""
