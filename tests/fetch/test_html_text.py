"""What is taken from a page of HTML, and that no page can keep the reader busy."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.providers.fetch.html_text import main_text

LONG = "A sentence that is long enough to be the main text of a page. " * 5


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>One<p>Two", "One\n\nTwo"),
        ("<p>A <b>bold</b>, <a href=x>link</a>.</p>", "A bold, link."),
        ("<h2>Head</h2>text<h3> Sub </h3>", "## Head\n\ntext\n\n### Sub"),
        ("<ul><li>a<li>b</ul>", "- a\n\n- b"),
        ("<pre><code>if a &lt; b:\n    c</code></pre>", "```\nif a < b:\n    c\n```"),
        ("<table><tr><th>A<th>B<tr><td>1</td><td>2</td></table>", "A | B\n\n1 | 2"),
        ("line<br>next", "line\nnext"),
        ("a <!-- b <p> --> c", "a c"),
        ("a<!-- never closed", "a"),
        ("a<script>if (x<y) { '</p>' }</script>b", "ab"),
        ("a<SCRIPT>x</ScRiPt >b", "ab"),
        ("a<script>never closed", "a"),
        ("<style>p{}</style><p title='a > b'>x", "x"),
        ("1 < 2 and 3 <4", "1 < 2 and 3 <4"),
        ("<nav>a<nav>b</nav>c</nav>d", "d"),
        ("<nav>never closed<p>text", "never closed\n\ntext"),
        ("<aside>a</aside><footer>b</footer><noscript>c</noscript>d", "d"),
        ("<div hidden>secret</div>a<p style='display: none'>s<p>b", "a\n\nb"),
        ("<div aria-hidden='true'>x</div><span style=\"visibility:hidden\">y</span>z", "z"),
        ("<p title='the hidden one' class=\"hidden md:block\">shown", "shown"),
        ("<p HIDDEN=''>a<p Style='color:red;DISPLAY:none'>b<p>c", "c"),
        ("<body hidden><p>shown by a script", "shown by a script"),
        ("a&amp;b&nbsp;c&#x4e2d;&unknown;", "a&b c中&unknown;"),
        ("x&#" + "9" * 5000 + ";", "x&#" + "9" * 5000 + ";"),
        ("a\x1b[31mb\x00c\U000e0041", "a[31mbc"),
        ("<!doctype html><?xml x?><p>a", "a"),
        ("<p a=\"never closed>b<p>c", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_text_of_a_page(page, text):
    assert main_text(page)[1] == text


def test_main_is_taken_alone_where_it_is_long_enough():
    assert main_text(f"<p>before<main><p>{LONG}</main>after")[1] == LONG.strip()
    assert main_text(f"<p>before<article><p>{LONG}</article>after")[1] == LONG.strip()
    assert main_text("<p>before<main>short</main>after")[1] == "before\n\nshort\n\nafter"


@pytest.mark.parametrize(
    ("page", "title"),
    [("<title> A\n B &lt;</title><h1>C</h1>", "A B <"), ("<h1>C <i>d</i></h1>", "C d"), ("<p>x", ""),
     ("<title>never", "never"), ("<svg><title>icon</title></svg><h1>Real</h1>", "Real")],
)  # fmt: skip
def test_title_of_a_page(page, title):
    assert main_text(page)[0] == title


@pytest.mark.parametrize(
    "piece",
    ["<!--", "<a ", "<![CDATA[", "<", "</", "&", "<?", '<a b="', "<a b='", "<!", "<script>", "</a ", "<div>", "<nav>",
     "<p hidden>", "style='display ", 
     "<a =", "=  ", "<title>", "<pre>", "<td>", "&#9", "<main>", "<nav><p hidden>", " style='", "<a style='a", "\t",
     "<a  hidden",     "<table><tr><td>x"],
)  # fmt: skip
def test_time_grows_with_the_length_only(piece):
    """A million characters; what is quadratic takes minutes (a busy machine is no reason to fail)."""
    page = piece * (1_000_000 // len(piece))
    began = time.process_time()
    main_text(page)
    assert time.process_time() - began < 15


@given(
    st.lists(
        st.sampled_from(
            [
                "<",
                ">",
                "a",
                "p",
                "/",
                '"',
                "'",
                "=",
                "!--",
                "-->",
                " ",
                "nav",
                "main",
                "script",
                "title",
                "pre",
                "hidden",
                "&",
                "中",
                "\n",
            ]
        )
    ).map("".join)
)
def test_any_page_is_read_without_an_error(page):
    title, text = main_text(page)
    assert "\x00" not in title + text
