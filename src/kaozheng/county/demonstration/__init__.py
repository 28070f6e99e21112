"""A set of made-up data of six counties and ten years to try everything with; each sheet says that it is synthetic."""
