"""The words by which code tells a statement that an editor would miss from one that only leads, tells or greets.

What is a fact of a sentence is told by evidence.cues, whose lists are wide. These weigh, and so are narrower; terms and
courtesy are one and the same list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kaozheng.evidence.cues import COURTESY, DEADLINE


def _cue(han: str, latin: str) -> re.Pattern[str]:
    return re.compile(rf"{han}|\b(?:{latin})\b", re.IGNORECASE)


CUES: Final[Mapping[str, re.Pattern[str]]] = {
    "decision": _cue(
        r"决定(?!于|性)|决议|议定|商定|敲定|裁[定决]|判决|认定|同意(?!书)|批准|批复|获批|否决|驳回|不予|未获"
        r"|通过(?:了|评审|验收|审[查核议批]|认证|论证|表决|决议|复[核审])"
        r"|(?:审议|表决|一致|评审|获得?|未|没有|予以)通过|取消|撤销|终止|暂[缓停]|中止|推迟|延[期长至]|搁置"
        r"|废止|停[用产工运止]|叫停|下架|召回|吊销|选定|[确议选]定为|定[于为在]"
        r"|改[为用至]|更换为|调整[为至]|维持|放弃|不再|不引入|不采用|授权|任命|聘任|当选|接任|收回|没收"
        r"|免[收去除征]|处[以罚分]|罚款|撤职|追究|涉嫌|判处|起诉|责令|刑事|胜诉"
        r"|败诉|驳斥|解除|拍板|采纳|改[签道期]|缩减[为至]|判定|裁[员撤]|拒绝",
        r"resol(?:ved|ution)|agreed|decid\w+|decision|vot(?:ed|es?)|approv(?:ed|al)|adopted|reject\w*"
        r"|turned down|refus(?:ed?|al)|declined to|deferred|postponed"
        r"|granted|ruled|authori[sz]ed|appointed|elected|chosen|selected|withdr[ae]w\w*|cancell?ed|frozen"
        r"|froze|suspended|banned|abandoned|ruled out|excluded|accepted"
        r"|awarded|terminated|discontinued|revoked|dismissed|upheld|overturned|ordered to|instead of|no longer"
        r"|opted|settled on|signed off|sentenced|fined|adjourned|overruled",
    ),
    "event": _cue(
        r"成立|设立|组建|启[动用]|上线|投[产运用]|开[工业通]|通车|竣工|完工|建成|交付|关[闭停]|签[订署约]|收购"
        r"|合并|破产|去世|退休|辞[职去]|卸任|上任|出任|发布|推出|引入|首次"
        r"|死亡|遇难|受伤|坍塌|爆炸|起火|泄漏|中断|受灾|被困|损失|创办|创立|毕业|考[上入]|结婚|出生|获[得奖]"
        r"|入选|迁[至往入]|搬[到迁]|病逝|牺牲|停[水电课运]|落成|揭牌|挂牌"
        r"|投入使用|封闭|停业|搬迁|立案|逮捕|获救|失踪|确诊|逝世|离任|扩建|翻修|重建|改造完成|试行",
        r"clos(?:ed?|ure|ing)|opened|found(?:ed|ing)|launch\w*|sold|bought|acquir\w+|merg(?:ed|er)|died|killed"
        r"|injured|resign\w*|retir\w+|successor|signed|won|lost"
        r"|collaps\w+|bankrupt\w*|flood\w*|destroyed|built|completed|introduced|established|set up|went live"
        r"|on sale|took over|became|moved to|roll(?:ed)? back|stopped"
        r"|ended|began|failed|outage|closure|replaced|switched|placed in|born|married|graduated|joined"
        r"|published|evacuated|arrested|charged|convicted|settled|discovered|invented|reopened|relocated"
        r"|restored|repaired|installed|rescued|missing|diagnosed|sued|filed|hired|promoted|laid off|demolished"
        r"|expanded",
    ),
    "conclusion": _cue(
        r"结论|综上|总之|总的来[说看]|总体(?:来看|而言|上)|归根|可见|因此|所以|表明|显示|说明(?=[，这该]|了"
        r"|.{0,4}(?:时间|问题|是|有|不|没))|证[明实]|证据|发现|查明|意味着"
        r"|原因|导致|造成|由于|根源|关键(?:在于|是)|核心(?:是|在于|考虑)|首要|教训|建议(?!书)|认为|不能(?:说明"
        r"|证明|当作)|尚(?:无|未|不)|仍(?:有争议|不清楚)|测算"
        r"|评估|受访者|调查(?:显示|结果)|满意度|排名|占\s?\d",
        r"conclu(?:de|sion)\w*|overall|in (?:sum|short|summary)|therefore|thus|hence|(?:show|indicat|suggest"
        r"|mean|impl)(?:s|ed|n|e|es)? that|found that|we found|finding[s]?"
        r"|as a result|result(?:ed)? in|reveal\w*|because|due to|caused?(?: by)?|cause|reason|recommend\w*"
        r"|propos\w+|estimate[ds]?|significant\w*|evidence|no effect|lesson"
        r"|the main|most (?:important|serious|likely)|account(?:s|ed)? for|prov(?:ed|en|es)|respondents?|rated"
        r"|ranked|majority|held that|finds? that|satisfied that|in (?:our|my|its) (?:view|opinion)",
    ),
    "requirement": _cue(
        r"必须|应当|应(?=[在于由当按自向将及不提对具])|须(?!知)|不得|严禁|禁止|不准|不可|不允许|务必|方可|才能"
        r"|才可|一律|只能|只有|义务|有权|责任|承担|违约|赔偿|扣[除减]|逾期"
        r"|请于|凭(?=[本有身])|须持|缴[纳费]|预约",
        r"must|shall|may not|require[ds]?|requirement|obligat\w+|mandatory|prohibit\w*|forbidden"
        r"|not (?:permitted|allowed|be used)|entitled|liable|penalt\w+|owe[ds]?"
        r"|(?:has|have) to|needs? to|consent|permission|condition(?:s|al)?|breach|register|apply|submit|bring"
        r"|pre-?book|eligible",
    ),
    "deadline": DEADLINE,
    "ahead": _cue(
        r"将(?=[于在由对从把按向会不进开采投建组继]|.{0,12}(?:开展|实施|完成))|计划(?!生育)"
        r"|拟(?=[于由对在采投])|预计|确保|力争|目标|争取|今年|明年"
        r"|下[一个]?[年月季步]|承诺|保证|答应|方案|申请|提案",
        r"will|plan(?:s|ned)?|intends?|aims? to|is to|are to|undert(?:ook|akes?)|promis(?:ed?|es)|pledg\w+"
        r"|guarant\w+|commit(?:s|ted|ment)|expect(?:s|ed) to|forecast|target"
        r"|proposals?|schemes?|applications?|offer|next (?:year|month|spring|summer|autumn|winter|quarter)",
    ),
    "now": _cue(
        r"至今|截至|目前|迄今|仍|还没|尚未|剩余|其余|余下|未完成",
        r"so far|to date|currently|at present|still|remain(?:s|ing)?|yet to|the rest|outstanding|held up|awaited",
    ),
    "bound": _cue(
        r"不超过|不少于|不低于|不高于|以[上内下]|至少|至多|最[多少低高长迟]|超过|不足|上限|下限"
        r"|满(?=[一二两三四五六七八九十\d])|任何|所有|一切|凡(?!是?人)|一律"
        r"|均(?=[不未须应可为由])",
        r"at least|at most|up to|no (?:more|less|fewer|later|sooner) than|minimum|maximum|more than|less than"
        r"|limit(?:ed)?|over \d\S*|below|any|every|whenever|all",
    ),
    "condition": _cue(
        r"除非|只有|仅[限当在供]|前提|条件是|否则|如果|若(?!干)|如(?=[未有发连无遇超出需逾])|一旦|例外|不适用"
        r"|不包[括含]|除.{1,20}外|未经",
        r"unless|only (?:if|when|where|after|with|for|be)|but only|provided that|on condition|except(?:ion)?"
        r"|otherwise|if|subject to|excluding|does not (?:apply|cover|include)",
    ),
    "figure": _cue(
        r"预算|费用|成本|投资|金额|[价]格|定价|售价|单价|造价|收入|债务|资金|基金|利润|总[额量投数]|合计|共计"
        r"|余额|产[量值]|收费|补[贴助]|押金|定金|违约金"
        r"|[\u4e00-\u9fff]率(?:[为达约由从只仅]|\s?\d)|人均|平均|名额|得分|人[次数]|占比",
        r"total(?:s|led|ed|ling)?|budget\w*|cost(?:s|ing)?|revenue|profit|funds?|funding|grant|price[ds]?|fare"
        r"|debts?|raised|savings|reserves?|margin|turnover|income|spending|fees?|salar(?:y|ies)|tax(?:es)?"
        r"|grants?|interest|compensation|average[ds]?|rate|capacity|attendance|membership|scores?",
    ),
    "process": _cue(
        r"讨论|汇报了|介绍了|听取|座谈|走访|勘查|询问|调阅|收集了|传阅|随后|接着|依据|根据|围绕|深入|推进|加强|继续",
        r"discuss\w*|described|explained|present(?:ed|ation)|whether|observed|summarised|took .{1,30} through"
        r"|passed round|considered|attended|visited|showed (?:us|me)|noted with",
    ),
    "courtesy": COURTESY,
    "said": _cue(
        r"说(?![明法服])|问道|笑|回忆|觉得|讲[述了起]|喊|聊|听到|看到|问[了他她]|担心|补充|介绍|指出|回应|解释|追问",
        r"said|says?|told|tells?|asked|wrote|replied|remarked|jok\w+|laugh\w*|thought|felt|feels?|wonder\w*"
        r"|recalled|reminded|spoke|spoken|heard|called it|likes? to"
        r"|suggested|pointed out|added that|commented|argued|insisted|admitted|claimed|mentioned|warned",
    ),
    "named": _cue(
        r"称为|称作|叫做|名叫|绰号|俗称|指的是|取名",
        r"called|known as|named|nicknamed|refers? to|stands for|so-called",
    ),
    "scene": _cue(
        r"当天|当时|那天|那年|此时|这时|当晚|清晨|傍晚|夜里|早上|下午|上午(?!班)|晚上|照片|图纸|咖啡|故事",
        r"evening|morning|afternoon|night|yesterday|that day|one day|at the time|meanwhile|by then|soon|later"
        r"|suddenly|photographs?|drawings?|pictures?|dog|cat|song|story|stories"
        r"|flowers?|trees?|window|door|kitchen|garden|hat|coat|cake|sandwich\w*|mother|father|daughter|son"
        r"|wife|husband|friend|neighbour",
    ),
    "vague": _cue(
        r"一些|有些|有的|某些|不少|许多|很多|很(?=[多大好长快高难重小少容有])|比较|往往|常常|通常|似乎|好像"
        r"|其实|当然|甚至|起来|什么|事情|东西|这些|那些|一位|一种|所谓|也就是|换句话",
        r"there (?:is|are|was|were|has|have)|something|anything|anyone|someone|somebody|everyone|everybody|few"
        r"|little|(?:some|many|most|several|other) (?:of|people)|kind of|sort of|rather|quite|very|often"
        r"|usually|sometimes"
        r"|perhaps|probably|maybe|generally|typically|seems?|looks?|enough|of course|after all|in other words"
        r"|for reasons",
    ),
}
"""Kind of cue -> what shows it. Those from "process" on speak against a statement."""
SELF: Final = re.compile(r"\b(?:I|me|my|you|your|us)\b|我(?![们国市县省司院校局厂公])|你|您|大家|咱")
"""Speaks of the writer or to the reader."""
RANGE: Final = re.compile(
    r"\bfrom [^,.;]{0,40}\d[^,.;]{0,40} to [^,.;]{0,20}\d|\binstead of\b|\brather than\b"
    r"|(?:由|从)[^，。；]{0,16}\d[^，。；]{0,14}(?:到|至|为)[^，。；]{0,6}\d|[降增升减压缩][^，。；]{0,4}(?:到"
    r"|至)\s?\d",
    re.IGNORECASE,
)
"""A change with both its ends."""
DONE: Final = re.compile(
    r"\b(?:was|were|be|been|is|are) (?:\w+ly )?\w+ed\b|已(?:经)?(?=[在于将被完全安建签付])", re.IGNORECASE
)
