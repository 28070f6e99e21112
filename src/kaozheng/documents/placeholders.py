"""The characters that stand for what is not prose in a masked text.

They are private use characters, so that no letter class, mark class or word list ever matches one of them.
"""

from __future__ import annotations

from typing import Final

CODE: Final = "\ue000"
"""Code span with its backticks; also what stands between `<code>` and `</code>`."""
MATH: Final = "\ue001"
"""Math with its dollar signs."""
URL: Final = "\ue002"
"""Target and title of a link or image, reference label, bare address, e-mail address."""
HTML: Final = "\ue003"
"""HTML tag or comment."""
MARK: Final = "\ue004"
"""Markup that a reader does not see: emphasis, link brackets, quote prefixes, indents, heading signs, attributes."""
NOTE: Final = "\ue005"
"""Footnote reference, resolved or not."""
ESCAPE: Final = "\ue006"
"""Backslash escape (both characters) or entity."""
NAME: Final = "\ue007"
"""File name or path, template expression `{{ }}` or `{% %}`, role or emoji code `:name:`, container `::: tip`."""

ALL: Final = CODE + MATH + URL + HTML + MARK + NOTE + ESCAPE + NAME
"""Every placeholder, for character classes."""
UNSEEN: Final = MARK + NOTE
"""What disappears when a text is read."""
