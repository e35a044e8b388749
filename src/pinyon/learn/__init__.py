"""Learn: from what people thought of hits to the weights that ranking should have had."""
