"""Who speaks to the model: a folder a role with its prompts (zh, en), its answer's type, one function, its twin."""
