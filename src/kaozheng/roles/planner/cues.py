"""The words by which code tells what kind of question it has before it: greetings, summaries, the open article, a
change of subject, and words that point back."""

from __future__ import annotations

import re
from typing import Final

_PLEASE = r"(?:请|麻烦|帮我|帮忙|能不能|可以|能否|给我|你|我想|我要|想)*"
_PLEASE_EN = r"(?:please|can you|could you|would you|i'd like you to|i want you to|,|\s)*"

_GREETING_ZH = (
    r"(?:你好|您好|hi|hello|嗨|哈喽|早上好|上午好|中午好|下午好|晚上好|早安|晚安|在吗|在不在|有人吗"
    r"|谢谢(?:你|您|啦|了)?|感谢(?:你|您)?|多谢|辛苦(?:了|啦|你了)?|好的|好吧|行|明白了?|知道了|收到|了解了?"
    r"|没事了|再见|拜拜"
    r"|太好了|不错|很好|非常好|厉害|真棒|帮大忙了|解决了|没问题|麻烦你了)"
)
_GREETING_EN = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day|night)|thanks(?: a lot| so much| very much| again)?"
    r"|thank you(?: (?:very|so) much)?|cheers|bye|goodbye|see you(?: later)?|ok(?:ay)?|great|perfect|awesome|got it"
    r"|nice|cool|never ?mind|that(?:'s| is| was)? (?:great|helpful|all|perfect|very helpful)"
    r"|(?:you|that) (?:really )?helped(?: me)?(?: a lot)?|there|everyone|all)"
)
_MARKS = r"[\s，,。.！!～~、；;：:？?]*"
GREETING: Final = re.compile(rf"^(?:{_GREETING_ZH}[啊呀哦呢吧啦的]*|{_GREETING_EN}\b){_MARKS}", re.IGNORECASE)
"""One greeting, thanks or good-bye at the beginning, with the marks behind it."""
ABOUT_US: Final = re.compile(
    r"^(?:你是谁|你叫什么(?:名字)?|你(?:都)?(?:能|会|可以)(?:做|干|帮我做|帮我干)?(?:什么|些什么|啥|哪些事)"
    r"|你有什么(?:功能|用|本事)"
    r"|介绍一下你自己|自我介绍一下?|讲个笑话|今天天气(?:怎么样|如何|真好)?|你(?:最近|今天)?(?:好吗|怎么样|心情如何)"
    r"|who are you|what(?:'s| is) your name|what can you do(?: for me)?|how are you(?: today| doing)?"
    r"|are you (?:a )?(?:robot|human|bot|ai)"
    r"|tell me a joke|introduce yourself|what do you do|nice to meet you)[呢吗啊呀\s？?。.!！，,]*",
    re.IGNORECASE,
)
"""Talk about the one who answers, or about nothing."""

_START_OVER = (
    r"(?:(?:我们|咱们|让我们)?(?:来)?(?:换(?:一)?个(?:新的?)?(?:话题|问题|主题)|聊(?:点)?别的|(?:重新"
    r"|从头)(?:开始|来过?)|重来|(?:开始|开启|新建|打开|开)?一?个?新的?(?:会话|对话|话题)"
    r"|新(?:话题|会话|对话)|另起(?:一个)?话题|另开一个(?:会话|对话|话题)|清空(?:上下文|历史|记录|对话)"
    r"|忘掉(?:前面|之前|刚才|上面)(?:的)?(?:内容|对话|话题|问题)?"
    r"|(?:不|先不)(?:谈|聊|说)(?:这个|那个)了?)(?:吧|了|啦)?"
    r"|(?:let'?s |let us |please )?(?:start (?:over|afresh|again|from scratch|a new (?:session"
    r"|conversation|chat|topic))|begin again"
    r"|change (?:the )?(?:subject|topic)|switch (?:the )?topics?|new (?:topic|session|conversation|chat"
    r"|subject)|(?:on (?:to )?)?a different (?:topic|subject)"
    r"|forget (?:all |everything )?(?:that|what (?:we|i) (?:said|discussed|talked about)|the (?:above"
    r"|previous)[\w ]*|about (?:that|it|all that))|reset (?:the )?(?:session|conversation|chat)))"
)
START_OVER: Final = re.compile(
    rf"^(?:(?:好的?|ok(?:ay)?|那|嗯|现在|now){_MARKS})?(?:{_START_OVER}(?:[\s，,。.！!：:；;—-]|and\b|then\b)*)+",
    re.IGNORECASE,
)
"""The wish to begin anew, at the beginning of what is said."""

ARTICLE: Final = re.compile(
    r"(?:这|本|该|当前|此|上面这?|下面这?)\s?(?:篇|份|个)?\s?(?:文章|文档|文件|报告|论文|页面|网页|材料|稿子?"
    r"|通知|资料|手册|合同|公告)|本文|全文|文中|文章[里中]|文档[里中]"
    r"|\b(?:this|the (?:current|open|attached|above)) (?:article|document|doc|page|paper|text|file|report|guide"
    r"|manual|post)\b"
    r"|\b(?:in|of) the (?:article|document|text)\b"
    r"|\bthe (?:article|document|doc|page|text|post|file) (?:i(?:'m| am| have)|that i|which i|on (?:my "
    r"|the )?screen)\b",
    re.IGNORECASE,
)
"""The text that the user has open."""
_BARE_ARTICLE = re.compile(
    r"^(?:(?:请|帮我|麻烦|简要|简单|用一句话|一下|总结|概括|概述|归纳|摘要|提炼|要点|主要内容|说说|讲讲"
    r"|讲了什么|说了什么|\W)+"
    r"|(?:please|can you|could you|summari[sz]e|sum up|summary|tl;?dr|key points|main points|give me|a|the|it"
    r"|brief|short|\W)+)$",
    re.IGNORECASE,
)

SUMMARY: Final = re.compile(
    rf"^{_PLEASE}(?:用[^，。]{{1,8}})?(?:来|再)?(?:简要|简单|大致|分点|详细|全面)?地?(?:总结|概括|概述|归纳"
    rf"|梳理|提炼|汇总|摘要)(?!报告|会|材料|怎么|如何|的)"
    r"|(?:讲|说|写|谈|提|介绍)(?:了|的是)(?:些|哪些)?(?:什么(?:内容)?(?=[？?。！，,]|$)|内容?[？?。]?$)"
    r"|(?:的)?(?:要点|主要内容|核心内容|核心观点|中心思想|主要观点|大意|摘要|概要)(?:是什么|有哪些"
    r"|是啥)?[？?。！]?$"
    r"|(?:写|做|给|生成|列出?)(?:出|我)?(?:一?[个份段])?[^？?。]{0,16}(?:摘要|总结|概要|要点)[？?。]?$"
    rf"|^{_PLEASE_EN}(?:summari[sz]e|sum up|recap|outline|condense|tl;?dr)\b"
    rf"|^{_PLEASE_EN}(?:give|write|show|provide)?\s?(?:me|us)?\s?(?:an?|the)?\s?(?:brief|short|quick|concise"
    rf"|one-paragraph)?\s?(?:summary|overview|digest|gist|tl;?dr|(?:key|main) (?:points|takeaways|ideas))\b"
    r"|\bwhat (?:are|is) the (?:key|main) (?:points?|takeaways?|ideas?)\b",
    re.IGNORECASE,
)
_SUMMARY_WORDS = re.compile(
    rf"^{_PLEASE}(?:用[^，。]{{1,8}})?(?:来|再)?(?:简要|简单|大致|分点|详细|全面)?地?(?:总结|概括|概述|归纳"
    rf"|梳理|提炼|汇总|摘要)(?:一下|下|出)?(?:关于)?"
    r"|(?:的)?(?:要点|主要内容|核心内容|核心观点|中心思想|主要观点|大意|摘要|概要)(?:是什么|有哪些"
    r"|是啥)?[？?。！]?$"
    r"|(?:主要)?(?:讲|说|写|谈|提|介绍)(?:了|的是)(?:些|哪些)?(?:什么|内容)?[？?。]?$|^(?:写|做|给|生成"
    r"|列出?)(?:出|我)?(?:一?[个份段])?"
    rf"|^{_PLEASE_EN}(?:summari[sz]e|sum up|recap|outline|condense|tl;?dr)\b"
    rf"|^{_PLEASE_EN}(?:give|write|show|provide)?\s?(?:me|us)?\s?(?:an?|the)?\s?(?:brief|short|quick"
    rf"|concise)?\s?(?:summary|overview|digest|gist|tl;?dr|(?:key|main) (?:points|takeaways|ideas))\s?(?:of|on"
    rf"|about"
    rf"|for|from)?"
    r"|\bwhat (?:are|is) the (?:key|main) (?:points?|takeaways?|ideas?)\s?(?:of|in|from)?",
    re.IGNORECASE,
)

ENTITY: Final = re.compile(
    r"^(?:请问|请)?(?:什么是|何为|何谓|解释一下|介绍一下|介绍下|介绍)(?P<a>[^，,。？?]{1,30})"
    r"|^(?:请问)?(?P<b>[^，,。？?的]{1,20})(?:是(?:什么|啥|什么意思|指什么|谁)|指的是什么|的(?:定义|含义"
    r"|概念)(?:是什么)?)[？?呢\s]*$"
    r"|^(?:what(?:'s| is| are)|who(?:'s| is)|define|explain|introduce)\s+(?:the term\s+|an?\s+"
    r"|the\s+)?(?P<c>[^?,.]{1,40}?)(?:\s+mean)?[?.\s]*$",
    re.IGNORECASE,
)
"""A question for one thing itself: what it is."""


def without_greetings(text: str) -> str:
    """What is said beyond greetings and thanks at the beginning; "" when there is nothing else."""
    while text and (found := GREETING.match(text)):
        rest = text[found.end() :]
        # "行政…" begins with 行, "好的方法" with 好的: a greeting ends at a mark, at the end, or before a polite word.
        if (
            rest
            and found[0] == found[0].rstrip(" ，,。.！!～~、；;：:？?\n")
            and not rest.startswith(("请", "我", "想"))
        ):
            break
        text = rest
    return text.strip()


def summarised(question: str) -> str:
    """What a summary is wanted of: the question without the words that ask for one; "" when it names nothing."""
    rest = _SUMMARY_WORDS.sub(" ", question)
    rest = re.sub(r"^(?:请|帮我|一下|the\b|a\b|an\b)+", "", rest.strip(" 的？?。.！!：:，,"), flags=re.IGNORECASE)
    return "" if _BARE_ARTICLE.match(rest) else " ".join(rest.split()).strip(" 的？?。.！!：:，,")
