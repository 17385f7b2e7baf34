import type { Catalogue } from "../catalogue.js"

/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */
export const dialects: Catalogue = {
  "(no output)": "（无输出）",
  'Cannot use "{word}" with the subcommand "{subcommand}": say one of them':
    '无法将 "{word}" 与子命令 "{subcommand}" 一起使用：只写其中一个',
  'For example {{"command":"worktree","subcommand":"{subcommand}"}}':
    '例如 {{"command":"worktree","subcommand":"{subcommand}"}}',
  "{text}: there is no tool of that name": "{text}：没有该名称的工具",
  "only the tools that were chosen for this agent may be called": "只能调用为此智能体选定的工具",
  "{allowed}: hosts that a command reaches are denied, unless a rule such as net.fetch(HOST) allows them":
    "{allowed}：命令访问的主机会被拒绝，除非有 net.fetch(HOST) 之类的规则允许",
  "{allowed}: hosts that a command reaches are asked about, unless a rule such as net.fetch(HOST) allows them":
    "{allowed}：命令访问的主机会被询问，除非有 net.fetch(HOST) 之类的规则允许",
  "{name}: refused for good, although its name sounds like reading": "{name}：永久拒绝，尽管它的名称听起来像读取",
  "{name}: a rule cannot be used up, so the one allowed call asks":
    "{name}：规则不能用完即失效，所以那一次允许的调用会询问",
  "Cannot calculate: {reason}": "无法计算：{reason}",
  "the result is {shown}, which is no number": "结果是 {shown}，不是数字",
  "the result is a tuple; ask for one value": "结果是元组；只求一个值",
  "it has no result; end it with the value that is wanted": "它没有结果；以所需的值结尾",
  "{wordsOf} is not expected there": "此处不应出现 {wordsOf}",
  "it is nested more than 200 times; compute it in steps": "嵌套超过 200 层；分步计算",
  "something is missing at its end": "末尾缺少内容",
  "a value is missing before {wordsOf}": "{wordsOf} 之前缺少值",
  "a brace is not closed": "有括号未闭合",
  '"{name}" holds a {type} and cannot hold the {type2} {quoted}': '"{name}" 存放的是 {type}，不能存放 {type2} {quoted}',
  'there is no {kind} "{name}"': '没有 {kind} "{name}"',
  'there is no {kind} "{name}"; "{near}" has a name like it': '没有 {kind} "{name}"；"{near}" 与之名称相近',
  "{a} {sign} {b} divides by zero": "{a} {sign} {b} 除以零",
  "min and max need a number": "min 和 max 需要数字",
  "{quoted} is a {type}, and len takes a string or a tuple": "{quoted} 是 {type}，而 len 接受字符串或元组",
  "{quoted} names a part that the string does not have": "{quoted} 指定了字符串中不存在的部分",
  "{quoted} cuts a character in two": "{quoted} 将一个字符切成两半",
  "a shift by {by} is not possible; shift by 0 to 63": "无法移位 {by} 位；移位 0 到 63 位",
  '"{expression}" means nothing alone; write it twice': '"{expression}" 单独使用没有意义；连写两个',
  '"\\{escaped}" is no escape; only \\" and \\\\ are': '"\\{escaped}" 不是转义；只有 \\" 和 \\\\ 是',
  "a string is not closed; end it with a double quote": "字符串未闭合；以双引号结尾",
  "{operation} does not fit into a whole number of 64 bits; write a float, such as 2.0":
    "{operation} 超出 64 位整数范围；写成浮点数，例如 2.0",
  "a string has more than 100000 characters": "字符串超过 100000 个字符",
  "a tuple has more than 10000 values": "元组超过 10000 个值",
  "{quoted} is a {type}, not a number": "{quoted} 是 {type}，不是数字",
  "{quoted} is a {type}, not a whole number": "{quoted} 是 {type}，不是整数",
  "{quoted} is a {type}, not a string": "{quoted} 是 {type}，不是字符串",
  "{quoted} is a {type}, not a boolean": "{quoted} 是 {type}，不是布尔值",
  "{quoted} is not a tuple": "{quoted} 不是元组",
  "{quoted} is not a tuple of {length} values": "{quoted} 不是含 {length} 个值的元组",
  'Cannot write "{path}": its folder does not exist; make the folder first':
    '无法写入 "{path}"：其文件夹不存在；先创建文件夹',
  'Cannot write "{path}": its parent is not a folder; make the folder first':
    '无法写入 "{path}"：其上级不是文件夹；先创建文件夹',
  'Cannot write "{path}": the content has {size} bytes and the limit is {maxTextBytes}; write it in parts to several files':
    '无法写入 "{path}"：内容有 {size} 字节，上限为 {maxTextBytes}；分成几部分写入多个文件',
  'Cannot edit "{path}": the file must be a Jupyter notebook (.ipynb file)':
    '无法编辑 "{path}"：该文件必须是 Jupyter 笔记本（.ipynb 文件）',
  "mode prompt asks for every call that no rule allows, whatever its tier":
    "prompt 模式会询问没有规则允许的每次调用，不论其级别",
  'Cannot use the setting "{name}": nothing here does what it steers': '无法使用设置 "{name}"：这里没有它所控制的功能',
  "Go on without it": "不用它继续",
  'Cannot set "{name}": it decides where the conversation goes, so only a person may set it':
    '无法设置 "{name}"：它决定对话的去向，因此只有人可以设置',
  'Cannot set "{name}": it decides about what is allowed, so only a person may set it':
    '无法设置 "{name}"：它决定允许什么，因此只有人可以设置',
  'Cannot set "{setting}" to {value}: it requires true or false':
    '无法将 "{setting}" 设为 {value}：必须是 true 或 false',
  "Cannot run the code: it must not be empty": "无法运行代码：代码不能为空",
  'Cannot run code in "{name}": unsupported REPL language': '无法运行 "{name}" 代码：不支持该 REPL 语言',
  "Use {value}": "使用 {value}",
  "Slept for {duration_ms}ms": "已休眠 {duration_ms} 毫秒",
  'Cannot edit "{path}": old_string and new_string must differ': '无法编辑 "{path}"：old_string 和 new_string 必须不同',
  "Send the text as it shall be in new_string": "在 new_string 中给出修改后的文本",
  'Cannot {mode} a cell of "{path}": new_source is missing; send the source':
    '无法对 "{path}" 的单元格执行 {mode}：缺少 new_source；提供源内容',
  "Cannot start PowerShell: neither pwsh nor powershell is on this machine":
    "无法启动 PowerShell：本机没有 pwsh 或 powershell",
  "Use {tool} instead": "改用 {tool}",
  "Install PowerShell 7 so that pwsh is on the PATH": "安装 PowerShell 7，使 pwsh 位于 PATH 中",
  "Cannot run {language} code: no {names} is on this machine": "无法运行 {language} 代码：本机没有 {names}",
  "Install {names} and see that it is on the PATH": "安装 {names}，并确保它在 PATH 中",
  "Cannot finish the {language} code: it exceeded the timeout of {timeoutMs} ms":
    "无法完成 {language} 代码：它超过了 {timeoutMs} 毫秒的超时",
  "Raise {key}": "调高 {key}",
  "Do less at a time": "减少单次的工作量",
  "Cannot save the todo list: {reason}": "无法保存待办列表：{reason}",
  "it is empty; send at least one step": "它是空的；至少给出一个步骤",
  "step {index} has no content": "步骤 {index} 没有内容",
  "step {index} does not say what it is called while it runs": "步骤 {index} 没有说明运行时如何称呼它",
  'Cannot write "{path}": the content is too large, {size} bytes where the limit is {limit}; write it in parts to several files':
    '无法写入 "{path}"：内容过大，有 {size} 字节，上限为 {limit}；分成几部分写入多个文件',
  'Cannot speak dialect "{name}": there is none of that name; use {dialectNames}':
    '无法使用方言 "{name}"：没有该名称的方言；使用 {dialectNames}',
  'Did you mean "{near}"?': '是不是想用 "{near}"？',
  'Cannot use the policy "{name}": it must be one of {policyNames}':
    '无法使用策略 "{name}"：必须是以下之一：{policyNames}',
  'Cannot filter by "{pattern}": only a plain text can be looked for': '无法按 "{pattern}" 筛选：只能查找纯文本',
  "Give the text itself, with a backslash before signs such as . and (": "直接给出文本，在 . 和 ( 等符号前加反斜杠",
  "Cannot start {length} tasks in one call: one call starts one agent":
    "无法在一次调用中启动 {length} 个任务：一次调用只启动一个智能体",
  "Call execTask once for each": "为每个任务各调用一次 execTask",
  'Cannot apply "{type}": "{key}" is missing; name it': '无法应用 "{type}"：缺少 "{key}"；指定',
  "newText or status": "newText 或 status",
  'Cannot rename "{from}" to "{newName}": a name has no folders in it':
    '无法将 "{from}" 重命名为 "{newName}"：名称中不能有文件夹',
  "To put it into another folder use moveLocalFiles": "要放入其他文件夹，使用 moveLocalFiles",
  "Cannot read lines [{start}, {end}]: the end must be after the start":
    "无法读取行 [{start}, {end}]：结束必须在开始之后",
  'Cannot search with "{key}": it is not supported here; use {instead}':
    '无法用 "{key}" 搜索：此处不支持；使用 {instead}',
  'Cannot exclude "{path}": name it from the workspace, as in "src/old"':
    '无法排除 "{path}"：从工作区开始写，例如 "src/old"',
  "removes the system or a home directory": "会删除系统或主目录",
  "changes accounts or logins": "会更改账户或登录",
  "writes to devices or the kernel": "会写入设备或内核",
  "formats or overwrites a disk": "会格式化或覆盖磁盘",
  "switches the firewall off": "会关闭防火墙",
  "removes packages of the system": "会移除系统的软件包",
  "changes the owner of whole trees": "会更改整个目录树的所有者",
  "gives a shell the rights of its owner": "会让 shell 获得其所有者的权限",
  "shows accounts or secrets": "会显示账户或机密",
  'Cannot update plan "{id}": this session has no plan of that id': '无法更新计划 "{id}"：本会话没有这个 id 的计划',
  "There is {shown}": "现有 {shown}",
  "Create a plan first": "先创建计划",
  'Cannot read "{shown}" in base {base}: {reason}': '无法以 {base} 进制读取 "{shown}"：{reason}',
  "there are no digits": "没有数字",
  "fractions cannot be converted; send a whole number": "无法转换小数；给出整数",
  '"{digit}" is no digit there; the digits are 0 to {value}': '"{digit}" 不是该进制的数字；可用的数字为 0 到 {value}',
  "9 and A to {last}": "9 以及 A 到 {last}",
  'Cannot read "{shownAddress}": the page is empty until a browser runs its scripts':
    '无法读取 "{shownAddress}"：页面在浏览器运行其脚本之前是空的',
  'Cannot read "{path}" as text: it is a binary file': '无法将 "{path}" 作为文本读取：它是二进制文件',
  'Cannot read "{shown}" as a number: {reason}': '无法将 "{shown}" 作为数字读取：{reason}',
  "it is not a decimal number": "它不是十进制数",
  "its exponent is too large": "其指数过大",
  "Cannot change item {index}: the list has 1 item at operation {place}, counted from 0; nothing was changed":
    "无法更改第 {index} 项：列表有 1 项，位于操作 {place}，从 0 计数；未更改任何内容",
  "Cannot change item {index}: the list has {length} items at operation {place}, counted from 0; nothing was changed":
    "无法更改第 {index} 项：列表有 {length} 项，位于操作 {place}，从 0 计数；未更改任何内容",
  'Cannot call "local_shell": "user" is not taken': '无法调用 "local_shell"：不接受 "user"',
  'Cannot call "local_shell": "env" is not taken': '无法调用 "local_shell"：不接受 "env"',
  "Run it as env NAME=VALUE PROGRAM": "以 env NAME=VALUE PROGRAM 的形式运行",
  "Leave it out": "将其省略",
  'Cannot call "apply_patch": the diff has a heading of its own': '无法调用 "apply_patch"：diff 带有自己的头部',
  "Send one operation for each file, and only the lines of the change as its diff":
    "为每个文件发送一个操作，其 diff 只含更改的行",
  'Cannot insert into "{path}": it has no line {line}': '无法插入 "{path}"：它没有第 {line} 行',
  "Look at it with {tool}": "用 {tool} 查看它",
  "The tool failed and did not say why": "工具失败了，没有说明原因",
  '{names}: all are "{id}" here, so the strictest of their rules holds for each':
    '{names}：在这里都是 "{id}"，所以每个都适用其中最严格的规则',
  "{text}: left out, no rule says exactly this; such calls ask or are decided by other rules":
    "{text}：已略去，没有规则能准确表达它；这类调用会询问或由其他规则裁定",
  "{text}: became {action} for {words}, which is more than it named":
    "{text}：变为对 {words} 的{action}，范围比它所指的更大",
  deny: "拒绝",
  "every call": "每次调用",
  "{text}: became {action} for {words}, which is less than it named":
    "{text}：变为对 {words} 的{action}，范围比它所指的更小",
  'Cannot read "{path}": it is not valid UTF-8 text': '无法读取 "{path}"：它不是有效的 UTF-8 文本',
  'Cannot read "{path}": it has more than {limit} bytes': '无法读取 "{path}"：它超过 {limit} 字节',
  "Read a part of it with {tool}, for instance with head, tail or sed":
    "用 {tool} 读取其中一部分，例如用 head、tail 或 sed",
  'Cannot read "{path}": the file appears to be binary': '无法读取 "{path}"：该文件似乎是二进制文件',
  "Cannot search with {label}: it failed 3 times in a row; it is left out for {seconds} s more":
    "无法用 {label} 搜索：它已连续失败 3 次；还会停用 {seconds} s",
  "it is no known engine; known are {knownEngines}": "它不是已知的引擎；可用的有 {knownEngines}",
  "Cannot search the web: {reasons}": "无法搜索网络：{reasons}",
  "Try other {key}": "尝试其他 {key}",
  "Try later": "稍后重试",
}
