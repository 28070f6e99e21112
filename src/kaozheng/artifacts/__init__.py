"""Artifacts: texts that a run makes, kept once by what they say and left under a plain name that people can open."""

from __future__ import annotations

from kaozheng.artifacts.artifact import Artifact, ArtifactRef, ArtifactStore, artifact_of, checked_name, ref_of

__all__ = ["Artifact", "ArtifactRef", "ArtifactStore", "artifact_of", "checked_name", "ref_of"]
