"""Words that show what a sentence does in its text: decides, demands, concludes, sets a term; or only illustrates,
thanks, and tells what was before."""

from __future__ import annotations

import re
from typing import Final

DECISION: Final = re.compile(
    r"决定|决议|同意|批准|核准|审议通过|通过了|一致通过|予以通过|原则通过|否决|驳回|撤销|终止|暂停|暂缓|取消|废止|叫停|中止|任命|聘任|免去|选定|中标"
    r"|选举|确定[为由了]|敲定|定为|改为|调整为|推迟|延期|启动|正式|签署|签订|授权|由.{1,16}?(?:负责|牵头|承担|督办|落实)|负责人"
    r"|\b(?:decid\w+|decision|resolv(?:ed|es)|resolution|approv\w+|adopt(?:ed|s)|agreed|vot(?:ed|es)"
    r"|carried unanimously"
    r"|reject\w*|overrul\w+|revok\w+|withdr[ae]wn?|cancel\w*|suspend\w*|terminat\w+|postpon\w+|defer(?:red|s)?"
    r"|halt(?:ed|s)?"
    r"|appoint\w*|elected|award(?:ed|s)|authori[sz]\w+|will be (?:led|headed|run) by|responsib\w+|in charge of"
    r"|accountable|take over|takes over|will lead|leads? the|owner)\b",
    re.IGNORECASE,
)
"""A decision, or who is to answer for something."""
REQUIREMENT: Final = re.compile(
    r"必须|应当|应于|应在|须(?!知)|需要?在|务必|不得|禁止|严禁|不准|不允许|一律|要求|确保|方可|才能|前提是|前提下|除非|否则|只有|仅限|最多|最高|至多|至少"
    r"|不低于|不少于|不超过|不高于|上限|下限|有权|罚款|处罚|违约|扣除"
    r"|\b(?:must|shall|should not|may not|need(?:s|ed)? to|have to|has to|required?|requires|requirement|mandatory"
    r"|obliged|obligat\w+|provided that|on condition|unless|only if|subject to|conditional|contingent|at (?:most|least)"
    r"|no (?:more|less|later|fewer) than|limit(?:ed)? to|up to a|maximum|minimum|entitled|penalt\w+|liable|ensure)\b",
    re.IGNORECASE,
)
"""A demand, a condition, a bound."""
CONCLUSION: Final = re.compile(
    r"结论|总之|综上|因此|因而|由此|可见|表明|显示|说明(?!书)|证实|证明|认定|认为|判断|评估|发现|查明|原因是|原因为|主要原因|根本原因|主因|根源|归因|导致|造成"
    r"|关键|最重要|核心|重点|首要|主要(?=[是为由])|建议|目标|预计|预期|计划(?=[于在]|到|今|明|\d)|力争|共计|合计|总计|累计|总额|总投资|总体|首次|达到|突破|风险"
    r"|\b(?:conclu\w+|therefore|thus|in (?:sum|short|summary)|overall|shows?|showed|found(?: that)?|finds|finding"
    r"|indicat\w+"
    r"|suggests?|confirm\w*|determin\w+|root cause|the (?:main|primary|chief|single|real) (?:cause|reason)"
    r"|caused? by|due to"
    r"|result(?:ed|s)? in|led to|attribut\w+|recommend\w*|key|most important|crucial\w*|critical\w*|essential|priority"
    r"|target|expect\w*|plans? to|estimat\w+|forecast|total(?:s|led|ling)?|altogether|for the first time|risk"
    r"|failed)\b",
    re.IGNORECASE,
)
"""A finding, a cause, an advice, an aim, a sum."""
DEADLINE: Final = re.compile(
    r"截止|截至|期限|限期|逾期|到期|届满|最迟|不迟于|(?:日|号|月|月底|月末|年底|年末|季度|周[一二三四五六日]|下班|之)前(?!期|后|言|提|景|端|往)"
    r"|年内|月内|日内|天内|工作日|起(?:施行|实施|执行|生效|算)|生效|施行|自.{2,14}?起|完成时限|时限"
    r"|\b(?:deadline|due|by (?:the end|mid|early|late|close|\d{1,2}|jan|feb|mar|apr|may|june|july|aug|sep|oct|nov"
    r"|dec|mon|tue"
    r"|wed|thu|fri|noon|next)\w*|no later than|within \w+ (?:working |business |calendar )?(?:days?|weeks?|months?"
    r"|hours?)"
    r"|expir\w+|effective|comes? into force|takes? effect|from \d{1,2} [A-Z]|until|before (?:the end|\d))\b",
    re.IGNORECASE,
)
"""By when something is to be done, or from when it holds."""
DENIAL: Final = re.compile(
    r"否决|驳回|拒绝|取消|叫停|撤销|终止|暂停|暂缓|中止|搁置|放弃|废止|落选|失败|缺乏|缺少|尚待|避免|免于|免除|停止|停用"
    r"|\b(?:reject\w*|declin\w+|den(?:y|ied|ies)|refus\w+|cancel\w*|overrul\w+|revok\w+|suspend\w*|halt\w*|abandon\w*"
    r"|defeat\w*|fail(?:ed|s|ure)?|lack\w*|absent|ruled out|withdrawn|defer(?:red|s)?|postpon\w+|stop(?:s|ped)?"
    r"|unable|unchanged"
    r"|ban(?:s|ned)?|exempt\w*|avoid\w*|instead of|rather than|turned down|voted down)\b",
    re.IGNORECASE,
)
"""Verbs that deny without a negation: 否决 says 未通过."""
COURTESY: Final = re.compile(
    r"感谢|谢谢|欢迎|祝愿|祝贺|辛苦|各位|大家好|尊敬的|致以|敬礼|敬请|不吝|指正|请多|茶歇|合影|掌声|寒暄|天气"
    r"|\b(?:thank\w*|welcom\w+|grateful|apologi\w+|pleas(?:ed|ure)|dear|sincerely|regards|congratulat\w+|enjoy\w*"
    r"|coffee"
    r"|refreshments|kindly|good (?:morning|afternoon|evening)|happy to)\b",
    re.IGNORECASE,
)
"""What is said to be polite."""
HISTORY: Final = re.compile(
    r"曾经|曾于|当年|那时|当时|早在|回顾|历史上|以往|过去的?[几十多]|多年来|长期以来|始建|创立于|成立于|顺便|题外|说起来|记得|据说|有趣的是"
    r"|\b(?:years ago|in the past|historically|used to|back in|once|long ago|formerly|originally|was founded"
    r"|were founded"
    r"|dates back|tradition\w*|remember\w*|recall\w*|incidentally|by the way|anecdot\w+|aside)\b",
    re.IGNORECASE,
)
"""What was before, and what is told by the way."""
