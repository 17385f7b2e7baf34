import type { Catalogue } from "../catalogue.js"

/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */
export const tools: Catalogue = {
  "git config": "git config",
  'Cannot run the tool: "{program}" is not installed on this machine': '无法运行该工具：本机未安装 "{program}"',
  "Cannot run the tool: its program would have to be fetched from {url}": "无法运行该工具：其程序需要从 {url} 获取",
  "Fetch it, compare its SHA-256 with that of the skill, and name it there with path instead of url":
    "获取它，将其 SHA-256 与技能中的值比对，然后在技能中用 path 代替 url 指定它",
  "Cannot run the tool: its arguments have more than 100000 bytes; shorten them":
    "无法运行该工具：其参数超过 100000 字节；缩短",
  'Cannot run the tool: "{name}" holds a NUL character; leave that out':
    '无法运行该工具："{name}" 含有 NUL 字符；将其去掉',
  'Cannot pass "{filled}": the program would take it for an option': '无法传递 "{filled}"：程序会把它当作选项',
  'Leave out the "-" at its beginning': '去掉其开头的 "-"',
  "Cannot send the request: a value holds half of a character": "无法发送请求：有一个值含有半个字符",
  "Cannot send the request: {reason}": "无法发送请求：{reason}",
  "its host would change": "其主机会改变",
  'a value may not be "." or ".."': '值不能是 "." 或 ".."',
  'tool "{name}" of skill "{skill}" is left out: {message}': '已略去技能 "{skill}" 的工具 "{name}"：{message}',
  'Cannot compare "{from}" and "{to}": they have no commit in common; use ".."':
    '无法比较 "{from}" 和 "{to}"：它们没有共同的提交；使用 ".."',
  'Cannot compare "{target}" with ref: the range names both ends; leave ref out':
    '无法用 ref 比较 "{target}"：该范围已指定两端；省略 ref',
  "Cannot show the diff: {count} files in it are left out by rules": "无法显示 diff：其中 {count} 个文件被规则排除",
  "Narrow it with {key}": "用 {key} 缩小范围",
  'Cannot use "{broken}": it has a NUL character in it; remove it': '无法使用 "{broken}"：它含有 NUL 字符；将其删除',
  'Cannot use "{idle}" with "{command}": that command does not take it':
    '无法将 "{idle}" 与 "{command}" 一起使用：该命令不接受它',
  '"{command}" takes no further arguments': '"{command}" 不接受其他参数',
  'Cannot run "{command}": the argument "{key}" is missing; add it': '无法运行 "{command}"：缺少参数 "{key}"；加上',
  "For example {call}": "例如 {call}",
  "Cannot create the work tree: {note}": "无法创建工作树：{note}",
  'Cannot create a work tree in "{display}": something is there; name another path':
    '无法在 "{display}" 中创建工作树：那里已有内容；指定其他路径',
  'Cannot choose a folder for the work tree: the repository does not begin in "."':
    '无法为工作树选择文件夹：仓库不是从 "." 开始',
  "Name one with {key}": "用 {key} 指定一个",
  'Cannot create the branch "{name}": it exists; set new_branch to false to use it':
    '无法创建分支 "{name}"：它已存在；要使用它，将 new_branch 设为 false',
  'Cannot remove "{shown}": the work tree is locked; unlock it first': '无法移除 "{shown}"：该工作树已锁定；先解锁',
  'Cannot remove "{shown}": it is the main work tree': '无法移除 "{shown}"：它是主工作树',
  'Cannot remove "{shown}": it is no work tree of this repository': '无法移除 "{shown}"：它不是此仓库的工作树',
  "See them with subcommand list": "用子命令 list 查看",
  'Cannot remove "{shown}": it has 1 uncommitted change; commit them, or use force to lose them':
    '无法移除 "{shown}"：它有 1 处未提交的更改；提交，或用 force 丢弃',
  'Cannot remove "{shown}": it has {count} uncommitted changes; commit them, or use force to lose them':
    '无法移除 "{shown}"：它有 {count} 处未提交的更改；提交，或用 force 丢弃',
  "Cannot ask for {action}: file_path is missing; give it, or query for the whole workspace":
    "无法查询 {action}：缺少 file_path；给出，或用 query 查询整个工作区",
  "Cannot ask for {action}: file_path is missing; name the file": "无法查询 {action}：缺少 file_path；指定文件",
  'Cannot ask for {action} in "{file_path}": the place is missing; give line and character, or line and query with the name':
    '无法查询 {action}（位于 "{file_path}"）：缺少位置；给出 line 和 character，或 line 和含名称的 query',
  'Cannot clone "{url}": there is no such folder; name a repository': '无法克隆 "{url}"：没有这个文件夹；指定仓库',
  'Cannot clone into "{display}": something is there; name another path':
    '无法克隆到 "{display}"：那里已有内容；指定其他路径',
  'Cannot clone "{replace}": {reason}': '无法克隆 "{replace}"：{reason}',
  "only http, https and file addresses can be cloned; use the https address of the repository":
    "只能克隆 http、https 和 file 地址；使用仓库的 https 地址",
  "there are no keys for ssh here; use the https address of the repository": "此处没有 ssh 密钥；使用仓库的 https 地址",
  "it is no address; use https://host/path": "它不是地址；使用 https://host/path",
  "it names a program; use https://host/path": "它指定了程序；使用 https://host/path",
  "it has credentials in it, which would be kept in .git/config; leave them out":
    "它含有凭据，会保留在 .git/config 中；将其去掉",
  "it has a query; leave out what follows ? or #": "它带有查询；去掉 ? 或 # 之后的内容",
  "it names no folder; use file:///folder": "它没有指定文件夹；使用 file:///folder",
  "it names no folder": "它没有指定文件夹",
  "it names no folder; write % as %25": "它没有指定文件夹；将 % 写成 %25",
  'Cannot run "git": it is not installed': '无法运行 "git"：未安装',
  "Install it with the package manager of this system, or with a configured build: haft doctor --install git":
    "用本系统的包管理器安装，或安装已配置的构建：haft doctor --install git",
  "Install it with: {command}, or with a configured build: haft doctor --install git":
    "用以下命令安装：{command}，或安装已配置的构建：haft doctor --install git",
  'Cannot use git here: "." is not inside a repository of the workspace': '无法在此使用 git："." 不在工作区的仓库之内',
  'Work in a folder that holds ".git", or make a repository first': '在含有 ".git" 的文件夹中工作，或先创建仓库',
  'Cannot use git here: "{display}" does not name a git folder': '无法在此使用 git："{display}" 没有指定 git 文件夹',
  'Cannot use git here: its folder "{folder}" is outside the workspace':
    '无法在此使用 git：其文件夹 "{folder}" 在工作区之外',
  "Go on without git": "不用 git 继续",
  "Add that folder as a root with --root DIR": "用 --root DIR 将该文件夹添加为根目录",
  "Cannot use git here: this git is too old, it would read the user's settings":
    "无法在此使用 git：此 git 版本过旧，会读取用户的设置",
  "Install git 2.36 or newer": "安装 git 2.36 或更新版本",
  "Cannot use git here: the repository names {count} programs for filters, merges and diffs, and at most 200 can be switched off; remove them from .git/config":
    "无法在此使用 git：该仓库为过滤、合并和比较指定了 {count} 个程序，最多只能关闭 200 个；从 .git/config 中删除它们",
  'Cannot use "{shown}" as {key}: it begins with "-"; leave the "-" out':
    '无法将 "{shown}" 用作 {key}：它以 "-" 开头；去掉 "-"',
  'Cannot use "{shown}" as {key}: it is empty or has a line break; name one thing':
    '无法将 "{shown}" 用作 {key}：它为空或含有换行；只指定一项',
  'Cannot use "HEAD" as {key}: there is no commit yet; make the first one':
    '无法将 "HEAD" 用作 {key}：还没有提交；先进行首次提交',
  'Cannot use "{name}" as {key}: there is no such commit, branch or tag':
    '无法将 "{name}" 用作 {key}：没有这个提交、分支或标签',
  'See what there is with "branch"': '用 "branch" 查看现有内容',
  'Cannot finish "{label}": it did not end within {timeoutMs} ms':
    '无法完成 "{label}"：它没有在 {timeoutMs} 毫秒内结束',
  "Ask for less at a time, for instance with {key}": "减少单次请求的内容，例如用 {key}",
  'Cannot finish "{label}": it gives {totalBytes} bytes': '无法完成 "{label}"：它会输出 {totalBytes} 字节',
  'Cannot finish "{label}": {words}': '无法完成 "{label}"：{words}',
  "git diff": "git diff",
  "git worktree": "git worktree",
  "git clone": "git clone",
  "it was ended by {signal}": "它被 {signal} 终止",
  "a signal": "信号",
  "It was not let go to {refused}": "不允许它访问 {refused}",
  "Put the changes aside with stash, or use force to lose them": "用 stash 暂存更改，或用 force 丢弃",
  "The sandbox of this call keeps that path as it is: leave it, or name it so that it can be approved":
    "本次调用的沙箱会保持该路径不变：不要改动它，或明确指定它以便批准",
  "Inside the sandbox {own}:{own2} is the sandbox itself: use another address":
    "在沙箱内，{own}:{own2} 是沙箱本身：使用其他地址",
  "Open this machine's own {own}:{own2} with --grant-net {own3}:{own4}":
    "要开放本机自己的 {own}:{own2}，用 --grant-net {own3}:{own4}",
  "See that the address is right and needs no password; none is known here":
    "确认地址正确且不需要密码；此处没有任何密码",
  "The address leads elsewhere; use the one it leads to": "该地址指向别处；使用它所指向的地址",
  "Name a path inside the repository": "指定仓库内的路径",
  "Use letters, digits and - _ / in it": "只用字母、数字和 - _ /",
  "Another git may be at work; repeat the call later": "可能有另一个 git 正在运行；稍后重复该调用",
  "the clipboard may hold anything, a password too": "剪贴板可能含有任何内容，包括密码",
  'Cannot calculate "{shortened}": the result is not a finite number': '无法计算 "{shortened}"：结果不是有限的数',
  "Cannot use the answers: {reason}": "无法使用这些回答：{reason}",
  "there are {length} answers to {length2} questions": "收到 {length} 个回答，而问题有 {length2} 个",
  "question {several} takes one answer and got {length}": "问题 {several} 只接受一个回答，却收到 {length} 个",
  "Ask again": "重新询问",
  "Cannot run the command: it is no valid text; leave out NUL and half characters":
    "无法运行该命令：它不是有效的文本；去掉 NUL 和半个字符",
  'Cannot run "{shortened}": no program of that name is on the PATH': '无法运行 "{shortened}"：PATH 中没有该名称的程序',
  "Give its path": "给出其路径",
  "Use {tool} for what is built into a shell": "shell 内置的功能使用 {tool}",
  "Cannot run PowerShell: neither pwsh nor powershell is on this machine":
    "无法运行 PowerShell：本机没有 pwsh 或 powershell",
  "Cannot evaluate the code: it holds a NUL character; leave that out": "无法执行该代码：它含有 NUL 字符；将其去掉",
  "Cannot run a command of {bytes} bytes: this system takes {maxBytes} at the most; write it to a file and run that":
    "无法运行 {bytes} 字节的命令：本系统最多接受 {maxBytes}；将其写入文件并运行该文件",
  "Cannot run the command: no shell was found on this machine": "无法运行该命令：本机没有找到 shell",
  "Install bash (on Windows PowerShell) and see that it is on the PATH":
    "安装 bash（Windows 上为 PowerShell），并确保它在 PATH 中",
  "Cannot run the {what}: {reason}; leave that out": "无法运行该{what}：{reason}；将其去掉",
  argument: "参数",
  "it holds a NUL character": "它含有 NUL 字符",
  "it holds half of a character": "它含有半个字符",
  'Cannot attach "{path}": there is no such file; nothing was sent': '无法附加 "{path}"：没有这个文件；未发送任何内容',
  "Find it with {tool}": "用 {tool} 查找它",
  'Cannot attach "{path}": it is a directory; attach its files one by one':
    '无法附加 "{path}"：它是目录；逐个附加其中的文件',
  "Cannot end with an empty object: it needs at least one field": "无法以空对象结束：至少需要一个字段",
  "Put the result into the arguments themselves": "将结果直接放入参数",
  "Cannot end with this object: {shown}; and {length} more": "无法以此对象结束：{shown}；以及另外 {length} 项",
  "Cannot end with this object: {shown}": "无法以此对象结束：{shown}",
  "Correct these and call again": "更正这些内容并重新调用",
  'Cannot use toolset "{name}": there is none of that name; use {known}':
    '无法使用工具集 "{name}"：没有该名称的工具集；使用 {known}',
  'Cannot fetch "{shownAddress}": the header {shown} is no name of a header':
    '无法获取 "{shownAddress}"：{shown} 不是请求头名称',
  'Cannot fetch "{shownAddress}": the header {shown} is set by the connection itself; leave it out':
    '无法获取 "{shownAddress}"：请求头 {shown} 由连接自身设置；将其去掉',
  'Cannot fetch "{shownAddress}": the header {shown} has a line break in its value; use one line':
    '无法获取 "{shownAddress}"：请求头 {shown} 的值含有换行；写成一行',
  'Cannot read "{shownAddress}": it is no text but {mediaType}, {length} bytes':
    '无法读取 "{shownAddress}"：它不是文本，而是 {mediaType}，{length} 字节',
  "Fetch a page that describes it": "获取描述它的页面",
  'Cannot fetch "{shownAddress}": the server answers {value}': '无法获取 "{shownAddress}"：服务器返回 {value}',
  'Cannot fetch "{shownAddress}": the server answers {value}: {excerpt}':
    '无法获取 "{shownAddress}"：服务器返回 {value}：{excerpt}',
  "Check the address": "检查地址",
  "Search for the page with {tool}": "用 {tool} 搜索该页面",
  "Wait before the next call to this host": "再次访问此主机前稍候",
  "Wait {waitWords}": "等待 {waitWords}",
  "The page needs a login, which this tool has not; try another source":
    "该页面需要登录，而此工具没有登录；尝试其他来源",
  "The site refuses this client; try another source": "该网站拒绝此客户端；尝试其他来源",
  "The page is paid for; try another source": "该页面需要付费；尝试其他来源",
  "The page is not available here for legal reasons; try another source": "该页面因法律原因在此不可用；尝试其他来源",
  "Try another address": "尝试其他地址",
  "it is no address; write https://host/path": "它不是地址；写 https://host/path",
  "only http and https are allowed": "只允许 http 和 https",
  "it names no host; write https://host/path": "它没有指定主机；写 https://host/path",
  "Check webSearch.endpoints in the configuration": "检查配置中的 webSearch.endpoints",
  'its answer has no list "{path}"': '其响应没有列表 "{path}"',
  "it has had too many requests{retryAfter}": "它收到的请求过多{retryAfter}",
  "; it asks to wait {seconds} s": "；它要求等待 {seconds} s",
  "it refused the key (status {status})": "它拒绝了密钥（状态 {status}）",
  "Give another key in the environment": "在环境变量中提供其他密钥",
  "it refused the request (status {status})": "它拒绝了请求（状态 {status}）",
  "Set webSearch.provider to another one; a SearXNG server must offer results as JSON (search.formats)":
    "将 webSearch.provider 设为其他服务；SearXNG 服务器必须提供 JSON 结果（search.formats）",
  "it answered with status {status}": "它返回状态 {status}",
  "it answered with status {status}: {words}": "它返回状态 {status}：{words}",
  "Cannot search the web: this session has used all of its {callsPerSession} searches; go on with what was found":
    "无法搜索网络：本会话已用完全部 {callsPerSession} 次搜索；用已找到的内容继续",
  "Known pages can still be read with {tool}": "仍可用 {tool} 读取已知的页面",
  "Raise webSearch.callsPerSession in the configuration": "在配置中调高 webSearch.callsPerSession",
  'its endpoint "{base}" is no http or https address': '其端点 "{base}" 不是 http 或 https 地址',
  "Correct webSearch.endpoints in the configuration": "更正配置中的 webSearch.endpoints",
  "Cannot search with {label}: {reason}": "无法用 {label} 搜索：{reason}",
  "it did not answer within {timeoutMs} s": "它没有在 {timeoutMs} s 内响应",
  "Set webSearch.provider to another one": "将 webSearch.provider 设为其他服务",
  "no key is configured for it": "没有为它配置密钥",
  "no address is configured for it": "没有为它配置地址",
  "Give a key for {label} in the environment": "在环境变量中提供 {label} 的密钥",
  "Set webSearch.endpoints.{id}": "设置 webSearch.endpoints.{id}",
  "it refused: {refusal}": "它拒绝了：{refusal}",
  "its endpoint names no search engine": "其端点没有指定搜索引擎",
  "Set webSearch.endpoints.google to https://www.googleapis.com/customsearch/v1?cx=ID, with the id of your engine":
    "将 webSearch.endpoints.google 设为 https://www.googleapis.com/customsearch/v1?cx=ID，其中填写你的引擎的 id",
  "the engines behind it did not answer: {named}": "它背后的引擎没有响应：{named}",
  "it refused the query: {refusal}": "它拒绝了查询：{refusal}",
  "its page has no results in the known form: its layout has changed, or it refuses us":
    "其页面没有已知格式的结果：页面布局已更改，或它拒绝我们",
  "it asks for a captcha, because it takes this machine for a robot": "它要求验证码，因为它把本机当成了机器人",
  'there is no search service "{stray}"; known are {providerIds}': '没有搜索服务 "{stray}"；可用的有 {providerIds}',
  'did you mean "{near}"?': '是不是想用 "{near}"？',
  'Cannot search the web: "query" has no words; name some': '无法搜索网络："query" 没有词；写一些',
  'Cannot search the web: "query" has {length} characters of at most 1000; use fewer words':
    '无法搜索网络："query" 有 {length} 个字符，最多 1000 个；减少用词',
  'Cannot read "{shownAddress}": the page is empty until a browser runs its scripts, which this tool does not':
    '无法读取 "{shownAddress}"：页面在浏览器运行其脚本之前是空的，而此工具不运行脚本',
  'Cannot read "{shownAddress}": the page is empty until a browser runs its scripts, which this tool does not; it says "{said}"':
    '无法读取 "{shownAddress}"：页面在浏览器运行其脚本之前是空的，而此工具不运行脚本；页面内容为 "{said}"',
  "Try an API, a feed or another source": "尝试 API、订阅源或其他来源",
  "{key} html gives the source of the page": "{key} html 会给出页面的源代码",
  'Cannot search the web: "{name}" is no known provider': '无法搜索网络："{name}" 不是已知的提供方',
  "Set webSearch.provider to one of {providerIds}": "将 webSearch.provider 设为以下之一：{providerIds}",
}
