"""HTTP: programs and the page ask the engine."""
