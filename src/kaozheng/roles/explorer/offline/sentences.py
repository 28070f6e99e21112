"""The survey's sentences: Chinese left, English right. Values in braces come in quoted, or as counted phrases."""

from __future__ import annotations

SENTENCES: dict[str, tuple[str, str]] = {
    "title": ("{name} 代码概览", "The code of {name}"),
    "cut": ("{words}（原文更长）", "{words} (cut)"),
    # purpose
    "purpose.readme": ("{path} 这样介绍它：{words}。", "{path} says of it: {words}."),
    "purpose.readme_title": ("{path} 的标题是 {words}。", "The title of {path} is {words}."),
    "purpose.manifest": ("{path} 中的描述是 {words}。", "The description in {path} is {words}."),
    "purpose.manifest_cut": (
        "{path} 中的描述以 {words} 开头，原文更长。",
        "The description in {path} begins with {words} and is longer than that.",
    ),
    "purpose.silent": (
        "未发现说明用途的文字：没有可用的 README 段落，清单文件中也没有描述。",
        "No text says what it is for: no README has a paragraph to quote, and no manifest has a description.",
    ),
    "purpose.no_code": ("未发现程序代码文件。", "No file of program code was found."),
    "purpose.languages": (
        "程序代码共有 {files}、{lines}，下表按语言列出，并给出每种语言最长的文件。",
        "The program code has {files} and {lines}; the table gives them by language, with the longest file of each.",
    ),
    "purpose.languages_head": ("语言|文件数|行数|最长的文件", "Language|Files|Lines|Longest file"),
    "purpose.others": ("上述数字不含 {parts}。", "These figures leave out {parts}."),
    "purpose.beside": ("不算程序代码的有 {parts}。", "Not counted as program code: {parts}."),
    "purpose.uncounted": (
        "另有 {files}超出读取上限，既未读取，也不在任何数字之内。",
        "Beyond the limit of reading: {files}, which no figure counts.",
    ),
    "purpose.by_lines": (
        "有 {files}的语言没有语法分析器可用，其中的定义按行首的词识别。",
        "No grammar was at hand for {files}; the definitions there are told by the first words of lines.",
    ),
    "purpose.licence": (
        "许可证文件是 {path}，开头写着 {words}。",
        "The licence file is {path}; it begins with {words}.",
    ),
    "purpose.no_licence": ("根目录中未发现许可证文件。", "The root folder holds no licence file."),
    # structure
    "structure.none": (
        "未发现程序代码，因此没有可以说明的结构。",
        "There is no program code, so there is no structure to describe.",
    ),
    "structure.folders_heading": ("代码所在的文件夹", "Folders that hold code"),
    "structure.folders": (
        "程序代码位于 {folders}{described}。",
        "The program code lies in {folders}{described}.",
    ),
    "structure.folders_some": (
        "程序代码位于 {folders}，下表列出其中 {shown} 个，另有 {rest} 个未列出{described}。",
        "The program code lies in {folders}; the table lists {shown} of them and leaves out {rest}{described}.",
    ),
    "structure.described": ("；说明一列引自各文件夹中的代码", "; the descriptions are quoted from the code in them"),
    "structure.folders_head": ("文件夹|文件数|行数|说明（原文）|位置", "Folder|Files|Lines|Description (quoted)|Place"),
    "structure.imports_heading": ("导入关系", "Who imports whom"),
    "structure.no_imports": (
        "未发现代码文件之间的导入。",
        "No code file was found to import another one of the repository.",
    ),
    "structure.one_folder": (
        "代码文件之间有 {imports}，都在同一文件夹之内。",
        "There is a total of {imports} between code files, all within one folder.",
    ),
    "structure.pair": ("- {source} 导入 {target}，共 {count}。", "- {source} imports {target} ({count})."),
    "structure.more_pairs": (
        "另有 {pairs}之间的导入未列出，共 {imports}。",
        "The imports between {pairs} are not listed: {imports} in all.",
    ),
    "structure.picture": (
        "下图画出代码文件之间的导入，箭头从导入者指向被导入者。",
        "The picture shows the imports between code files: an arrow leads from the importer to what it imports.",
    ),
    "structure.picture_numbered": (
        "下图画出代码文件之间的导入，箭头从导入者指向被导入者，箭头上的数字是导入的处数，没有数字的是一处。",
        "The picture shows the imports between code files: an arrow leads from the importer to what it imports, and its"
        " number counts the imports; without one it is a single import.",
    ),
    "structure.not_drawn": (
        "图中只画导入最多的箭头，另有 {arrows}未画出，共 {imports}。",
        "Only the arrows with the most imports are drawn; left out: {arrows}, with {imports}.",
    ),
    "structure.inside": (
        "图中同一节点之内的导入不画，共 {imports}。",
        "Imports within one node are not drawn: {imports}.",
    ),
    "structure.circles_heading": ("循环导入", "Circular imports"),
    "structure.no_circles": (
        "有 {files}导入仓库中的其他代码文件，其中未发现循环导入。",
        "No circle was found among the imports of the {files} that import another code file of the repository.",
    ),
    "structure.circles": (
        "按导入语句看，有文件互相可达，分为 {groups}，共 {files}；导入语句可能写在函数之内，运行时不一定成环。",
        "Going by the import statements, some files reach each other: {groups}, {files} in all. A statement may stand"
        " inside a function, so a circle need not show at run time.",
    ),
    "structure.circle": (
        "- {path}，所在的一组共有 {files}。",
        "- {path}, in a group of {files}.",
    ),
    "structure.pillars_heading": ("被导入最多的文件", "Most imported files"),
    "structure.pillars": (
        "下表列出被其他代码文件导入最多的文件，按导入它的文件数排列，测试不计。",
        "The table lists the files that most other code files import, without counting tests.",
    ),
    "structure.pillars_head": ("文件|导入它的文件数|说明（原文）|位置", "File|Imported by|Description (quoted)|Place"),
    "structure.packages_heading": ("外部包", "External packages"),
    "structure.packages": (
        "代码导入了 {packages}，标准库不计；下表列出导入者最多的 {shown} 个，位置是其中一处导入。",
        "The code imports {packages}, the standard library not counted; the table lists the {shown} with the most"
        " importing files and one import of each.",
    ),
    "structure.packages_all": (
        "代码导入了 {packages}，标准库不计；下表全部列出，位置是其中一处导入。",
        "The code imports {packages}, the standard library not counted; the table has one import of each.",
    ),
    "structure.packages_head": ("包|导入它的文件数|位置", "Package|Importing files|Place"),
    "structure.no_packages": (
        "代码中未发现标准库以外的外部包。",
        "The code imports no package from outside, the standard library apart.",
    ),
    # flows
    "flows.none": ("未发现程序入口。", "No entry point was found."),
    "flows.library": (
        "未发现声明的命令，以下从各个包的主要文件说起。",
        "No command is declared; what follows starts from leading files of its packages.",
    ),
    "flows.more": ("另有 {starts}未列出。", "Not listed: {starts}."),
    "flows.script": (
        "命令 {name} 声明为指向 {target}。",
        "The command {name} is declared to lead to {target}.",
    ),
    "flows.bin": ("可执行文件 {name} 由清单声明。", "A manifest declares the executable {name}."),
    "flows.module": (
        "{file} 可以作为模块直接运行。",
        "{file} can be run as a module.",
    ),
    "flows.main": ("程序从 {file} 的主函数开始。", "The program starts in the main function of {file}."),
    "flows.guard": ("{file} 可以作为脚本直接运行。", "{file} can be run as a script."),
    "flows.server": (
        "{file} 通过 {target} 创建或启动服务。",
        "{file} makes or starts a server by {target}.",
    ),
    "flows.function": ("函数 {name} 定义在 {file} 中。", "The function {name} is defined in {file}."),
    "flows.calls": ("- 函数 {name} 调用 {targets}。", "- The function {name} calls {targets}."),
    "flows.called": ("{file} 中的 {names}", "{names} in {file}"),
    "flows.told": ("{file} 的导入已在上文列出。", "The imports of {file} are listed above."),
    "flows.unseen": (
        "在仓库读到的代码中未发现 {target} 所指的文件，后面的过程无法从代码看出。",
        "The code that was read has no file for {target}, so it does not show what follows.",
    ),
    "flows.compiled": (
        "按 {config} 中的 `outDir`，{target} 由 {file} 编译得到。",
        "By `outDir` in {config}, {target} is compiled from {file}.",
    ),
    "flows.imports": ("- {file} 导入 {targets}。", "- {file} imports {targets}."),
    "flows.imports_more": (
        "- {file} 导入 {targets}，此外还导入 {rest}。",
        "- {file} imports {targets}, and {rest} besides.",
    ),
    "flows.alone": (
        "{file} 不导入仓库中的其他代码文件。",
        "{file} imports no other code file of the repository.",
    ),
    "flows.reach": (
        "沿导入语句走 {levels} 层可以到达 {reached}，上面列出其中 {shown} 个。",
        "Along the imports, {levels} levels down, it reaches {reached}; {shown} of them are listed above.",
    ),
    # modules
    "modules.none": ("未发现公开名称。", "No public name was found."),
    "modules.preface": (
        "{folders}中定义了 {names}；测试、示例、生成的代码和第三方代码不列入。",
        "The code defines {names}, in {folders}; tests, examples, generated and third-party code are left out.",
    ),
    "modules.rest": (
        "每个文件夹最多列出 {most} 个名称；未列出的有 {names}，其中整个未列出的有 {folders}。",
        "At most {most} names a folder are listed; {names} are not, and {folders} are left out as a whole.",
    ),
    "modules.rest_names": (
        "每个文件夹最多列出 {most} 个名称，未列出的有 {names}。",
        "At most {most} names a folder are listed; {names} are not.",
    ),
    "modules.silent": ("另有 {folders}没有公开名称。", "Without any public name: {folders}."),
    "modules.table": (
        "{folder} 有 {files}{imported}，公开名称如下。",
        "{folder} has {files}{imported}; its public names follow.",
    ),
    "modules.table_part": (
        "{folder} 有 {files}{imported}；它有 {names}，下表列出其中 {shown} 个。",
        "{folder} has {files}{imported}; of its {names} the table lists {shown}.",
    ),
    "modules.imported": ("，被其他文件夹的 {importers}导入", " and is imported by {importers} of other folders"),
    "modules.head": ("名称|种类|说明（原文）|位置", "Name|Kind|Description (quoted)|Place"),
    "kind.function": ("函数", "function"),
    "kind.class": ("类", "class"),
    "kind.method": ("方法", "method"),
    "kind.interface": ("接口", "interface"),
    "kind.type": ("类型", "type"),
    "kind.enum": ("枚举", "enum"),
    "kind.struct": ("结构体", "struct"),
    "kind.trait": ("特征", "trait"),
    "kind.module": ("模块", "module"),
    "kind.macro": ("宏", "macro"),
    "kind.constant": ("常量", "constant"),
    # usage
    "usage.install_heading": ("安装", "Install"),
    "usage.run_heading": ("运行", "Run"),
    "usage.build_heading": ("构建", "Build"),
    "usage.test_heading": ("测试", "Test"),
    "usage.tests_heading": ("测试文件", "Test files"),
    "usage.install_word": ("安装", "install"),
    "usage.run_word": ("运行", "run"),
    "usage.build_word": ("构建", "build"),
    "usage.test_word": ("测试", "test"),
    "usage.silent": (
        "未发现说明如何{purposes}的命令。",
        "No command was found that says how to {purposes} it.",
    ),
    "usage.readme_under": (
        "- {path} 在 {heading} 一节给出命令 {command}{where}。",
        "- {path} gives the command {command} under {heading}{where}.",
    ),
    "usage.readme": ("- {path} 给出命令 {command}{where}。", "- {path} gives the command {command}{where}."),
    "usage.task": ("- 由 {path} 可知命令是 {command}{where}。", "- {path} implies the command {command}{where}."),
    "usage.task_declared": (
        "- {path} 声明了命令 {command}{where}。",
        "- {path} declares the command {command}{where}.",
    ),
    "usage.task_body": (
        "- {path} 定义了 {command}，执行 {body}{where}。",
        "- {path} defines {command}, which runs {body}{where}.",
    ),
    "usage.where": ("，在 {folder} 中运行", ", to be run in {folder}"),
    "usage.tasks": (
        "- 由 {folders} 中的 {count}可知命令是 {command}。",
        "- The command {command} follows from {count} in {folders}.",
    ),
    "usage.tasks_some": (
        "- 由 {folders} 等处的 {count}可知命令是 {command}。",
        "- The command {command} follows from {count} in {folders} and elsewhere.",
    ),
    "usage.script": ("- 仓库中有脚本 {path}。", "- There is a script {path}."),
    "usage.ci": ("- 持续集成文件 {path} 执行 {command}。", "- The CI file {path} runs {command}."),
    "usage.more": ("另有 {commands}未列出。", "Not listed: {commands}."),
    "usage.versions_heading": ("所需版本", "Required versions"),
    "usage.version": ("- {path} 要求的 {name} 版本是 {version}。", "- {path} requires {name} {version}."),
    "usage.variables_heading": ("环境变量", "Environment variables"),
    "usage.variables": (
        "代码按字面名称读取了 {count}，位置是读取的一处，默认值按代码中的写法。",
        "The code reads {count} by literal name; the table gives one place of each, with the default as the code writes"
        " it.",
    ),
    "usage.variables_part": (
        "代码按字面名称读取了 {count}，下表列出其中 {shown} 个，位置是读取的一处，默认值按代码中的写法。",
        "The code reads {count} by literal name; the table lists {shown}, with one place and the default as the code"
        " writes it.",
    ),
    "usage.variables_head": ("名称|默认值（原文）|位置", "Name|Default (quoted)|Place"),
    "usage.routes_heading": ("HTTP 路由", "HTTP routes"),
    "usage.routes": (
        "代码中声明了 {count}，路径按代码中的写法，可能还要加上前缀。",
        "The code declares {count}; a path is given as the code writes it, and a prefix may come before it.",
    ),
    "usage.routes_part": (
        "代码中声明了 {count}，下表列出其中 {shown} 个，路径按代码中的写法，可能还要加上前缀。",
        "The code declares {count}; the table lists {shown}, with the path as the code writes it, and a prefix may come"
        " before it.",
    ),
    "usage.routes_head": ("声明方式|路径（原文）|位置", "Declared by|Path (quoted)|Place"),
    "usage.no_tests": ("未发现测试文件。", "No test file was found."),
    "usage.tests": ("共有 {files}、{lines}。", "There is a total of {files} with {lines}."),
    "usage.tests_in": ("- {folder} 中有 {files}。", "- {folder} holds {files}."),
    "usage.tests_rest": ("其余 {folders}中有 {files}。", "Elsewhere: {files}, in {folders}."),
}
"""(Chinese, English) by name."""

COUNTED: dict[str, tuple[str, str, str]] = {
    "file": ("个文件", "file", "files"),
    "line": ("行", "line", "lines"),
    "folder": ("个文件夹", "folder", "folders"),
    "import": ("处导入", "import", "imports"),
    "arrow": ("条箭头", "arrow", "arrows"),
    "pair": ("对文件夹", "other pair of folders", "other pairs of folders"),
    "group": ("组", "group", "groups"),
    "package": ("个外部包", "external package", "external packages"),
    "start": ("个入口", "entry point", "entry points"),
    "other": ("个文件", "other file", "other files"),
    "name": ("个公开名称", "public name", "public names"),
    "manifest": ("个清单文件", "manifest", "manifests"),
    "variable": ("个环境变量", "environment variable", "environment variables"),
    "route": ("条路由", "route", "routes"),
    "command": ("条命令", "command", "commands"),
    "test_file": ("个测试文件", "test file", "test files"),
    "settings_file": ("个配置脚本", "settings script", "settings scripts"),
    "sample_file": ("个示例或基准文件", "example or benchmark file", "example or benchmark files"),
    "generated_file": ("个生成的文件", "generated file", "generated files"),
    "vendored_file": ("个第三方文件", "third-party file", "third-party files"),
}
"""(Chinese with its measure word, English singular, English plural) by noun."""
