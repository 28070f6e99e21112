"""The heal loop: review a module of the rule book, repair by line ranges, review again, stop on the checks' word."""
