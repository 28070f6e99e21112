"""Settings -> ports. Only this room knows which provider fills which port; vendors are imported when chosen."""

from __future__ import annotations

from kaozheng.wiring.county import county_file, county_place, open_county
from kaozheng.wiring.desk import OF_THE_RUN, open_desk, studio_ports
from kaozheng.wiring.diagnosis import Finding, diagnose, ping, ping_knowledge
from kaozheng.wiring.embedders import check_embedder, open_embedder
from kaozheng.wiring.files import check_writable, code_reader, reader, vectors, write_bytes, write_file
from kaozheng.wiring.knowledge import knowledge_file, knowledge_place, open_knowledge, studio_knowledge_ports
from kaozheng.wiring.models import check_priced, checked_model, configured_models, open_model, prices
from kaozheng.wiring.rerankers import check_reranker

__all__ = [
    "OF_THE_RUN",
    "Finding",
    "check_embedder",
    "check_priced",
    "check_reranker",
    "check_writable",
    "checked_model",
    "code_reader",
    "configured_models",
    "county_file",
    "county_place",
    "diagnose",
    "knowledge_file",
    "knowledge_place",
    "open_county",
    "open_desk",
    "open_embedder",
    "open_knowledge",
    "open_model",
    "ping",
    "ping_knowledge",
    "prices",
    "reader",
    "studio_knowledge_ports",
    "studio_ports",
    "vectors",
    "write_bytes",
    "write_file",
]
