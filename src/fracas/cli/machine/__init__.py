"""Commands that measure, prepare and connect machines: bench, compile, doctor, scheduler, worker."""
