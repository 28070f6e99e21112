"""The explorer's twin: a sourced overview of a repository, made by code alone, one file a chapter."""

from kaozheng.roles.explorer.offline.survey import survey

__all__ = ["survey"]
