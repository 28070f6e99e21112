"""Writing systems in masked prose: which characters are Han, Latin or standing in for something that is no prose."""

from __future__ import annotations

HAN_CLASS = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
