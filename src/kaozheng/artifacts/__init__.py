"""Artifacts: texts that a run makes, kept once by what they say and left under a plain name that people can open."""

from __future__ import annotations

from kaozheng.artifacts.artifact import (
    Artifact,
    ArtifactRef,
    ArtifactStore,
    Version,
    artifact_of,
    checked_name,
    ref_of,
)
from kaozheng.artifacts.provenance import made_by

__all__ = ["Artifact", "ArtifactRef", "ArtifactStore", "Version", "artifact_of", "checked_name", "made_by", "ref_of"]
