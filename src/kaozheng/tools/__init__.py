"""What a model may call: the tools, one a file, and the gateway, breaker and loop that every call goes through."""
