"""The block summarizer: the words for a model that condenses a block, and the engine that condenses one without."""
