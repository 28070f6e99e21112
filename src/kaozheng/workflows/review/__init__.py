"""The heal loop: review a module of the rule book, repair what breaks it by line ranges, review again, and stop on the checks' word."""
