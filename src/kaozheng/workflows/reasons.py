"""Reasons in Chinese: the program gives its reasons in English, for models and logs; a report is for people."""

from __future__ import annotations

import re

_PIECES = {
    "heading": "标题",
    "table": "表格",
    "quote": "引用",
    "footnote": "脚注",
    "list item": "列表项",
    "code block": "代码块",
}
_COUNTED = {
    "cells": "个单元格",
    "pages": "页",
    "slides": "张幻灯片",
    "parts": "个部件",
    "characters": "个字符",
    "pixels": "像素",
}
_UNITS = _COUNTED | {"calls": "次调用", "tokens": "个 token", "seconds": "秒"}

# What stands in a group goes into the Chinese sentence, most of it as code.
_CHINESE = [
    (re.compile(pattern, re.DOTALL), chinese)
    for pattern, chinese in (
        # files that were not read, or not used
        (r"binary", "二进制文件"),
        (r"empty", "空文件"),
        (r"encoding not known.*", "无法识别编码"),
        (r"not a kind of file that is read \((.*)\)", "不读取这种文件（`{0}`）"),
        (r"an old format \((.*)\): save it as (.*)", "旧格式（`{0}`），请另存为 `{1}`"),
        (r"an old format under a new name", "后缀是新格式，内容是旧格式"),
        (r"protected by a password", "有密码保护"),
        (r"damaged.*", "文件已损坏，或内容与后缀不符"),
        (r"declares entities.*", "含有实体声明（办公文档不应有）"),
        (r"unpacks to (.*) MB.*", "解压后过大（{0} MB）"),
        (r"more than ([\d,]+) (cells|pages|slides|parts|characters|pixels).*", "超过上限（{0} {1}）"),
        (r"a PDF with no text layer \((\d+) pages\), and no.*", "PDF 没有文字层（{0} 页），也没有识别出文字"),
        (r"a PDF with no text layer \((\d+) pages\).*", "PDF 没有文字层（{0} 页），应为扫描件，请先做文字识别（OCR）"),
        (r"no text layer.*", "没有文字层，可能是扫描页"),
        (r"not read without the extra for pictures: (.*)", "图片；要识别其中的文字，请先安装：`{0}`"),
        (r"no text recognised", "没有识别出文字"),
        (r"not recognised: too many scanned pages", "扫描页过多，没有识别"),
        (r"not recognised: it would take too long", "识别时间超过上限，没有识别"),
        (r"not recognised: too large or damaged", "没有识别：过大或已损坏"),
        (r"empty: it holds no text", "没有文字"),
        (r"PDF needs pypdfium2: (.*)", "读取 PDF 需要先安装：`{0}`"),
        (r"takes longer than (\S+) s to read", "读取超过 {0} 秒"),
        (r"takes more than (.*) MB of memory to read", "读取需要超过 {0} MB 内存"),
        (r"its reader (?:broke down|was ended).*", "读取进程中断"),
        (r"larger than (\d+) MB", "大于 {0} MB"),
        (r"not a regular file", "不是普通文件"),
        (r"no such file or folder", "文件不存在"),
        (r"no permission to read it", "没有读取权限"),
        (r"cannot be read \((.*)\)", "无法读取（`{0}`）"),
        (r"a link that leads out of the folder", "链接指向文件夹之外"),
        (r"a link that leads nowhere", "链接的目标不存在"),
        (r"a link to a folder that is read already", "链接指向已经读取的文件夹"),
        (r"a link to the folder itself", "链接指向文件夹本身"),
        (r"a link to (.*), which is read by itself", "链接指向 `{0}`，后者单独读取"),
        (r"holds no text", "没有文字"),
        (r"the same text as (.*)", "与 `{0}` 的内容相同"),
        (r"nothing of it was taken up", "内容没有被采用"),
        # links of the request
        (r"without a model no page is fetched", "没有模型，不取网页"),
        (r"only the first (\d+) links are fetched", "只取前 {0} 个链接"),
        (r"no page is fetched here", "这里不取网页"),
        # modules that were let through
        (r"\d+ repairs made", "已达到修改次数的上限"),
        (r"the repairs go in a circle", "修改陷入循环"),
        (r"nothing more can be repaired without a model", "没有模型，无法继续修改"),
        # replacements that were refused
        (r"touches no violation of rule (\S+)", "没有触及违反规则 {0} 的地方"),
        (r"does not clear its violation of rule (\S+)", "没有消除对规则 {0} 的违反"),
        (r"adds a violation of rule (\S+)", "新增了对规则 {0} 的违反"),
        (r"takes apart a table row.*", "破坏了表格行"),
        (r"takes apart a (.*)", "破坏了{0}"),
        (r"overlaps the replacement of lines .*", "与另一处替换重叠"),
        (r"It overlaps with the replacement of lines .*", "与另一处替换重叠"),
        (r"brings in what the draft does not say: (.*)", "带入了原文没有的内容：`{0}`"),
        (r"(.*) lost", "丢失了原有的内容：`{0}`"),
        (r"Lines .* are outside the lines that may change.*", "超出了允许修改的行"),
        (r"The content equals lines .*", "与原文相同"),
        (r"The content of lines .* carries line numbers\.", "内容带有行号"),
        (r"The (?:start|end) line .*", "行号有误"),
        # parts that had to do without the model
        (r"(?:about )?(\S+) of (\S+) (calls|tokens|seconds) are used.*", "预算用尽（{0}/{1} {2}）"),
        (r"no sentence had evidence", "模型写的句子都没有依据"),
        (r"(?:\S+: )?nothing in the text is a sentence.*", "没有可摘录的句子"),
        (r"(?:\S+: )?the evidence has no sentence.*", "没有可摘录的句子"),
        (r"nothing could be summarised: no block holds a sentence", "没有可概括的内容：没有一句完整的话"),
        (r"(?:\S+: )?there is no(?:thing| evidence) to (?:condense|write from|plan from)", "没有可用的内容"),
        (r"the section came out empty", "没有可写的内容"),
        (r"no proposed sentence says what was lost", "模型补写的句子没有说出遗漏的内容"),
        (r".* is overloaded.*", "模型服务过载"),
        (r".* did not answer in time.*", "模型服务没有按时应答"),
        (r".* (?:said nothing in|fell silent for|did not finish in) ([\d.e+]+) s .*", "模型 {0} 秒没有答完"),
        (r".* repeats itself, broken off after (\d+) characters.*", "模型反复说同一段话，在第 {0} 个字符处中断"),
        (r"the prompt is longer than .* can read.*", "提示超出模型的上下文长度"),
        (r"the connection to (\S+) failed.*", "无法连接 `{0}`"),
        (r".*no usable answer from .* in (\d+) tries.*", "模型 {0} 次都没有给出可用的回答"),
        (r".*the answer reached the length limit.*", "回答达到长度上限"),
        (r".*(?:the stream ended early|broke the answer off|sent a broken stream).*", "回答中途断开"),
        (r".*content filter.*", "内容过滤器拒绝了请求"),
    )
]  # fmt: skip


def in_chinese(reason: str) -> str | None:
    """A reason of the program in Chinese, as Markdown; None when it is not one of the program's own."""
    for pattern, chinese in _CHINESE:
        if found := pattern.fullmatch(reason.strip()):
            groups = (group.replace("`", "'") for group in found.groups())
            return chinese.format(*(_PIECES.get(group) or _UNITS.get(group, group) for group in groups))
    return None
