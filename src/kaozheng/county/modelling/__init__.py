"""Econometrics on the data of counties: a request in names of indicators, the sample that it is asked of, the family.

A family of models stands in `families`; its conditions and its estimate are those of `indicators.econometrics`.
"""
