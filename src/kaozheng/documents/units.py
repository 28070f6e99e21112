"""Units of measure in Chinese and English, each with its dimension and its size in the dimension's own unit."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: values are turned into `canonical` by multiplying with `factor`. Money of two currencies has one
    dimension and two canonical units, which never compare."""

    dimension: str
    canonical: str
    factor: Decimal = Decimal(1)


# dimension, canonical unit, then for each size the factor and all names of that size; an indented line goes on
_MEASURES = """
length m: 1e-9 nm 纳米, 1e-6 μm 微米, 0.001 mm 毫米, 0.01 cm 厘米, 1 m 米 meter meters metre metres,
  1000 km 千米 公里 kilometer kilometers kilometre kilometres, 500 里, 1609.344 mile miles 英里,
  0.3048 ft foot feet 英尺, 0.0254 inch inches 英寸
area m²: 1 m² ㎡ m2 平方米 平米, 1e6 km² 平方公里 平方千米, 10000 公顷 ha hectare hectares
area 亩: 1 亩
volume m³: 1 m³ m3 立方米 方, 0.001 L 升 liter liters litre litres, 1e-6 mL ml 毫升
mass g: 1e-6 μg 微克, 0.001 mg 毫克, 1 g 克 gram grams, 1000 kg 千克 公斤 kilogram kilograms, 500 斤,
  1e6 吨 ton tons tonne tonnes
coal 吨标准煤: 1 吨标准煤 吨标煤, 0.001 千克标准煤 公斤标准煤
energy kWh: 1 kWh 千瓦时 千瓦小时, 1000 MWh, 1e6 GWh
power W: 1 W 瓦, 1000 kW 千瓦, 1e6 MW 兆瓦, 1e9 GW
duration s: 1e-9 ns 纳秒, 1e-6 μs us 微秒, 0.001 ms 毫秒 millisecond milliseconds,
  1 s 秒 秒钟 sec secs second seconds, 60 min mins minute minutes 分钟, 3600 h hr hrs hour hours 小时 个小时,
  86400 天 day days, 604800 周 星期 week weeks
period 月: 1 个月 month months, 12 年 year years yr yrs, 3 季度 quarters
data B: 1 B 字节 byte bytes, 1024 K KB kB kb KiB, 1048576 M MB mb MiB 兆, 1073741824 G GB gb GiB,
  1099511627776 T TB TiB, 1125899906842624 PB
datarate bps: 1 bps, 1000 Kbps, 1e6 Mbps, 1e9 Gbps
frequency Hz: 1 Hz 赫兹, 1000 kHz, 1e6 MHz, 1e9 GHz
ratio %: 1 % percent, 10 成
permille ‰: 1 ‰
points 个百分点: 1 个百分点 百分点 pct pp
times 倍: 1 倍 x ×
temperature ℃: 1 ℃ °C 摄氏度
degree 度: 1 度 ° degree degrees
money 元: 1 元 元人民币 人民币 RMB CNY yuan ¥ 块钱, 0.1 角
money 美元: 1 美元 USD dollar dollars $ 美金
money 欧元: 1 欧元 EUR euro euros €
money 英镑: 1 英镑 GBP £
money 日元: 1 日元 JPY yen
money 港元: 1 港元 港币 HKD
throughput qps: 1 QPS qps TPS tps
"""
_COUNTED = """
人 人次 人份 户 户次 个 台 件 家 名 位 项 条 次 张 篇 页 章 节 款 种 类 只 头 匹 辆 架 艘 座 栋 幢 间 所 套 副 把 本 册
部 份 封 支 枝 棵 株 朵 颗 粒 块 片 根 条数 笔 宗 起 例 场 届 期 轮 层 级 步 门 节点 处 行 列 字 词 句 段 道 题 批 组 队
对 双 代 岁 晚 票 股 版 集 盒 瓶 杯 箱 袋 包 桶 桌 席 床 卷 枚 顶 面 幅 遍 趟 回 圈 局 核 线程 副本 县 市 省 镇 乡 村 国
校 班 员 字符 像素 比特 元素 参数 用户 请求 羽 床位 标箱 TEU 车次
架次 班次 台套 课时 学时 吨公里 人公里
"""
ENGLISH_SCALES = {
    "thousand": Decimal(10**3),
    "million": Decimal(10**6),
    "billion": Decimal(10**9),
    "trillion": Decimal(10**12),
}
_ENGLISH_POINTS = ("percentage point", "percentage points")
_ENGLISH_COUNTED = {"night": "晚", "nights": "晚", "person": "人", "persons": "人", "people": "人"}


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for line in _MEASURES.replace("\n  ", " ").strip().splitlines():
        head, _, sizes = line.partition(": ")
        dimension, canonical = head.split()
        for size in sizes.split(", "):
            factor, *names = size.split()
            table.update(dict.fromkeys(names, Unit(dimension, canonical, Decimal(factor))))
    for name in _COUNTED.split():
        table.setdefault(name, Unit("count", name))
    for name, canonical in _ENGLISH_COUNTED.items():
        table[name] = Unit("count", canonical)
    for name in _ENGLISH_POINTS:
        table[name] = Unit("points", "个百分点")
    return table


UNITS: dict[str, Unit] = _table()
SCALES: dict[str, Decimal] = {
    "万亿": Decimal(10) ** 12,
    "千万": Decimal(10) ** 7,
    "百万": Decimal(10) ** 6,
    "十万": Decimal(10) ** 5,
    "亿": Decimal(10) ** 8,
    "万": Decimal(10) ** 4,
    "千": Decimal(1000),
    "百": Decimal(100),
}
CURRENCY_SIGNS = {"¥": "元", "￥": "元", "$": "美元", "US$": "美元", "€": "欧元", "£": "英镑"}


_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}


@lru_cache(maxsize=1024)
def unit_named(label: str) -> Unit:
    """The unit that the head of a table names: 亿元, 万元/人, 亿千瓦时, 吨标准煤/万元, %, billion yuan.

    Two labels measure the same when `dimension` and `canonical` are the same; `factor` turns one into the other. A unit
    that is not known has no dimension and is compared by its name, without a scale in front of it: 万吨当量 is 10000
    吨当量. "" is a pure number.
    """
    name = " ".join(label.translate(_NARROW).split())
    if not name.isascii():
        name = name.replace(" ", "")
    per, _, base = name.partition("/")
    if not base or not per:
        return _scaled(name)
    upper = _scaled(per)
    lower = _scaled(base)
    dimension = f"{upper.dimension}/{lower.dimension}" if upper.dimension and lower.dimension else ""
    return Unit(dimension, f"{upper.canonical}/{lower.canonical}", upper.factor / lower.factor)


def _scaled(name: str) -> Unit:
    """A unit with or without a scale: 千瓦时 is a unit, 万千瓦时 a scale and a unit."""
    if known := UNITS.get(name):
        return known
    for scale, factor in (SCALES | ENGLISH_SCALES).items():
        if name.startswith(scale) and (base := name[len(scale) :].strip()):
            unit = UNITS.get(base, Unit("", base))
            return Unit(unit.dimension, unit.canonical, unit.factor * factor)
    return Unit("", "", SCALES[name]) if name in SCALES else Unit("", name)


def singular(noun: str) -> str:
    """The singular of an English noun, by its ending."""
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun
