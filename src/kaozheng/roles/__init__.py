"""Who speaks to the model: a folder a role with its prompts (zh, en), the type of its answer, one function, and its offline twin."""
