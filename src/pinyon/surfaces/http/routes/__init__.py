"""Routes: the paths of the API. Each checks what it is given and calls the engine."""
