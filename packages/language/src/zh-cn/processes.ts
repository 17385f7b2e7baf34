import type { Catalogue } from "../catalogue.js"

/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */
export const processes: Catalogue = {
  "the display does not answer": "显示服务没有响应",
  "Cannot read the clipboard: its content is not text, it holds NUL characters":
    "无法读取剪贴板：其内容不是文本，含有 NUL 字符",
  "Cannot write the text to the clipboard: {reason}": "无法将文本写入剪贴板：{reason}",
  "it holds a NUL character, where many programs would cut it; leave that out":
    "它含有 NUL 字符，许多程序会在此处截断；将其去掉",
  "it holds half of a character, which UTF-8 cannot say": "它含有半个字符，UTF-8 无法表示",
  "pbcopy or pbpaste is not on the search path": "搜索路径上没有 pbcopy 或 pbpaste",
  "PowerShell is not on the search path": "搜索路径上没有 PowerShell",
  "wl-copy and wl-paste are not installed (wl-clipboard)": "没有安装 wl-copy 和 wl-paste（wl-clipboard）",
  "neither xclip nor xsel is installed": "xclip 和 xsel 都没有安装",
  "powershell.exe is not on the search path": "搜索路径上没有 powershell.exe",
  "there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set)":
    "没有显示服务（WAYLAND_DISPLAY 和 DISPLAY 都未设置）",
  "Cannot read the clipboard: its content is not text but {named}": "无法读取剪贴板：其内容不是文本，而是 {named}",
  "Ask the user to copy text, or to save the content as a file": "让用户复制文本，或将内容保存为文件",
  "Cannot read the clipboard: its content is not text in UTF-8": "无法读取剪贴板：其内容不是 UTF-8 文本",
  "Cannot {action} the clipboard: the text is larger than 5 MB; use a file instead":
    "无法{action} 剪贴板：文本超过 5 MB；改用文件",
  "write to": "写入",
  read: "读取",
  "Cannot read the clipboard: the call was cancelled": "无法读取剪贴板：调用已取消",
  "Cannot write to the clipboard: the call was cancelled": "无法写入剪贴板：调用已取消",
  'Cannot read the clipboard: "{name}" did not answer within {timeLimitMs} s; the program that owns the clipboard may hang':
    '无法读取剪贴板："{name}" 在 {timeLimitMs} s 内没有响应；占有剪贴板的程序可能已挂起',
  'Cannot write to the clipboard: "{name}" did not answer within {timeLimitMs} s; the program that owns the clipboard may hang':
    '无法写入剪贴板："{name}" 在 {timeLimitMs} s 内没有响应；占有剪贴板的程序可能已挂起',
  'Cannot search with limit "{limit}": it must be a whole number, 0 or more':
    '无法以 limit "{limit}" 搜索：它必须是大于或等于 0 的整数',
  'Cannot count a use of "{id}": ids begin with app_, cmd_, tool_, skill_ or file_':
    '无法统计 "{id}" 的使用：id 以 app_、cmd_、tool_、skill_ 或 file_ 开头',
  "Cannot search: the call was cancelled": "无法搜索：调用已取消",
  "Cannot search: the index was closed": "无法搜索：索引已关闭",
  "count what was used": "统计使用情况",
  "{words}, not confined": "{words}，未受限制",
  "from pip._internal.models.index import PyPI as i; print(i.simple_url); print(i.file_storage_domain)":
    "from pip._internal.models.index import PyPI as i; print(i.simple_url); print(i.file_storage_domain)",
  '"{folder}" is being changed': '"{folder}" 正在被更改',
  "a rule denies reading what it holds, so that no copy can be made of it": "有规则拒绝读取其内容，因此无法制作副本",
  'a rule denies reading "{path}" in it, so that no copy can be made of it':
    '有规则拒绝读取其中的 "{path}"，因此无法制作副本',
  "no copy can be made: {replace}": "无法制作副本：{replace}",
  "so are names in more than 8 folders": "同时涉及超过 8 个文件夹中的名称",
  "a process that outlives its call cannot": "在调用结束后继续运行的进程不能这样做",
  "the sandbox {label} cannot": "沙箱 {label} 不支持这样做",
  "Run it with a call that ends": "用会结束的调用来运行它",
  "This is a proxy: ask for a whole http address": "这是代理：使用完整的 http 地址",
  "Haft refused the connection to {host} port {port}: {reason}\n":
    "Haft 拒绝了到 {host} 端口 {port} 的连接：{reason}\n",
  "{host} cannot be reached: {message}\n": "无法访问 {host}：{message}\n",
  "Ask for a path of this host": "使用此主机上的路径",
  "{authority} cannot be reached: {message}": "无法访问 {authority}：{message}",
  'Cannot grant "{text}": it is no host; write "example.org" or "127.0.0.1:8080"':
    '无法授权 "{text}"：它不是主机；写 "example.org" 或 "127.0.0.1:8080"',
  "the name {host} has no address": "名称 {host} 没有地址",
  "{destinationText} is a port of Haft itself, which no rule can allow":
    "{destinationText} 是 Haft 自身的端口，任何规则都不能允许访问",
  "{host} is not a public address": "{host} 不是公网地址",
  "{host} leads to {address}, which is not a public address": "{host} 指向 {address}，它不是公网地址",
  "Allow it with --grant-net {destinationText}": "可用 --grant-net {destinationText} 允许",
  write: "写入",
  copy: "复制",
  keep: "保留",
  'Cannot {action}: "{lock}" is held by another process; try again': '无法{action}："{lock}" 被另一个进程占用；重试',
  "its folder is a link now, or behind one": "其文件夹现在是链接，或位于链接之后",
  '"{path}" was not written: {reason}; the new content is at "{join}"':
    '"{path}" 未写入：{reason}；新内容位于 "{join}"',
  '"{path}" was not written: {reason}': '"{path}" 未写入：{reason}',
  '"{path}" was not written: {reason}; the new content could not be kept: {message}':
    '"{path}" 未写入：{reason}；新内容无法保留：{message}',
  '"{path}" was not removed: that was not approved': '没有移除 "{path}"：未经批准',
  '"{path}" was not written: that was not approved': '没有写入 "{path}"：未经批准',
  '"{path}" was not written: it is a device, a pipe or a socket': '没有写入 "{path}"：它是设备、管道或套接字',
  'The former content of "{path}" was not kept: {kept}': '没有保留 "{path}" 原来的内容：{kept}',
  'Cannot write "{path}": somebody else changed it while the command ran':
    '无法写入 "{path}"：命令运行期间它被他人更改',
  'Cannot run the command: it changes "{path}" outside the workspace, and {reason}':
    '无法运行该命令：它会更改工作区之外的 "{path}"，而且{reason}',
  '"{absolute}" leads there through a link': '"{absolute}" 通过链接指向那里',
  "the workspace is in it": "工作区在其中",
  "the home directory is in it": "主目录在其中",
  '"{folder}" belongs to the system': '"{folder}" 属于系统',
  "Name the place itself, without a link in its path": "直接指定该位置，路径中不要有链接",
  'Cannot run the command: it changes "{path}", which belongs to Haft itself':
    '无法运行该命令：它会更改 "{path}"，而它属于 Haft 自身',
  'Cannot run the command: it changes "{path}", which holds what belongs to Haft itself':
    '无法运行该命令：它会更改 "{path}"，而其中含有属于 Haft 自身的内容',
  "Not written, because that was not approved: {listed}": "没有写入，因为未经批准：{listed}",
  "the TLS client asks for {name} instead of {host}": "TLS 客户端请求的是 {name}，而不是 {host}",
  "no name": "无名称",
  '"{printable}" is no host name': '"{printable}" 不是主机名',
  "{port} is no port": "{port} 不是端口",
  "no rule allows {destinationText}": "没有规则允许 {destinationText}",
  "Allow it with --allow 'net.fetch({host})'": "可用 --allow 'net.fetch({host})' 允许",
  "named by the user": "由用户指定",
  "allowed by a rule": "由规则允许",
  'its address must be like "https://registry.example/path/", without user and query':
    '其地址必须形如 "https://registry.example/path/"，不含用户名和查询部分',
  'Cannot grant "{host}": there is no such bundle': '无法授权 "{host}"：没有这个主机组',
  "/tmp is the session's own, and has none of the machine's files": "/tmp 是会话自己的，其中没有本机的文件",
  "{shown}: empty placeholders of the sandbox for protected names, not files of the workspace":
    "{shown}：沙箱为受保护名称设置的空占位，不是工作区的文件",
  "What it changed in the workspace was not compared": "未比较它在工作区中所作的更改",
  '"{path}" was created under a protected name and {then}': '"{path}" 以受保护的名称创建，{then}',
  "could not be moved away: remove it": "无法移走：将其删除",
  'moved to "{movedTo}"': '已移至 "{movedTo}"',
  '{length} more were moved to "{commonFolder}"': '另有 {length} 个已移至 "{commonFolder}"',
  "{left} more were created under protected names and are still there": "另有 {left} 个以受保护的名称创建，仍在原处",
  "A person is asked about such a file when a call names it": "调用涉及此类文件时会询问人",
  'Cannot run a command in the sandbox "{asked}": the call was given "{profile}"':
    '无法在沙箱 "{asked}" 中运行命令：本次调用获得的是 "{profile}"',
  "Cannot run another command: 1 are waiting already; try again later": "无法再运行命令：已有 1 个在等待；稍后重试",
  'Cannot send input to "{id}": the job has ended; start it again': '无法向 "{id}" 发送输入：作业已结束；重新启动',
  'Cannot send input to "{id}": the job was ended because {note}; start it again':
    '无法向 "{id}" 发送输入：作业已被结束，原因是{note}；重新启动',
  'Cannot send input to "{id}": the program does not read what it was sent; try again later':
    '无法向 "{id}" 发送输入：程序没有读取发送给它的内容；稍后重试',
  'Cannot start "{label}": the session is closing': '无法启动 "{label}"：会话正在关闭',
  'Cannot start "{label}": 32 jobs are running already; stop one of them first':
    '无法启动 "{label}"：已有 32 个作业在运行；先停止其中一个',
  'Cannot find the job "{id}": there is no job of that name in this session':
    '无法找到作业 "{id}"：本会话中没有该名称的作业',
  "Known jobs: {known}": "已知作业：{known}",
  "Start one with {tool}": "用 {tool} 启动一个",
  "Cannot open a terminal: its native part is not installed for this platform":
    "无法打开终端：未安装适用于此平台的原生组件",
  "Start the job without a terminal": "不使用终端启动作业",
  "Install with optional packages": "连同可选包一起安装",
  'Cannot {action} "{shown}": a process that still runs must not see it, and would see what replaces it':
    '无法{action} "{shown}"：仍在运行的某个进程不得看到它，但会看到替换它的内容',
  "End that process first, or use another path": "先结束该进程，或使用其他路径",
  "A job ends with {tool}": "可用 {tool} 结束作业",
  "\n[... {totalBytes} bytes left out ...]\n": "\n[... 省略了 {totalBytes} 字节 ...]\n",
  'Cannot run "{program}": there is no such program; install it or name another':
    '无法运行 "{program}"：没有该程序；安装它或指定其他程序',
  'Cannot run "{program}": it is not executable; check its mode': '无法运行 "{program}"：它不可执行；检查其权限位',
  'Cannot run "{program}": its arguments are too long; pass them in a file':
    '无法运行 "{program}"：其参数过长；通过文件传递',
  'Cannot run "{program}": the system has no room for another process; try again later':
    '无法运行 "{program}"：系统没有余力再启动进程；稍后重试',
  "it could not be started": "无法启动它",
  'Cannot run "{program}": the directory "{cwd}" does not exist': '无法运行 "{program}"：目录 "{cwd}" 不存在',
  'Cannot start "{program}": it did not get ready{words}': '无法启动 "{program}"：它未能就绪{words}',
  "Cannot evaluate {language}: the code contains a NUL character; remove it":
    "无法执行 {language}：代码包含 NUL 字符；将其删除",
  "Cannot evaluate {language}: the session is closing": "无法执行 {language}：会话正在关闭",
  "Cannot evaluate {language}: no {programs} was found": "无法执行 {language}：未找到 {programs}",
  "Install {programs} and make sure that it is on the search path": "安装 {programs}，并确保它在搜索路径中",
  'Cannot use the {name}: it was killed ("{words}")': '无法使用 {name}：它被强制终止（"{words}"）',
  "Cannot use the {name}: it was killed": "无法使用 {name}：它被强制终止",
  'Cannot use the {name}: it ended with code {code} ("{words}")': '无法使用 {name}：它以代码 {code} 结束（"{words}"）',
  "Cannot use the {name}: it ended with code {code}": "无法使用 {name}：它以代码 {code} 结束",
  "Cannot start a server: the session is closing": "无法启动服务器：会话正在关闭",
  "Cannot start the {name}: while it started, {reason}; try again": "无法启动 {name}：启动过程中{reason}；重试",
  'Cannot run a command in "{asked}": it does not exist; name a directory in the workspace':
    '无法在 "{asked}" 中运行命令：它不存在；指定工作区中的目录',
  'Cannot run a command in "{asked}": it is not a directory; name a directory in the workspace':
    '无法在 "{asked}" 中运行命令：它不是目录；指定工作区中的目录',
  'Cannot run a command in "{asked}": it is outside the workspace; use a directory inside it':
    '无法在 "{asked}" 中运行命令：它在工作区之外；使用工作区内的目录',
  "it exists for Linux only": "它仅适用于 Linux",
  "bwrap is not on PATH": "bwrap 不在 PATH 中",
  "Install bubblewrap, for instance with: apt-get install bubblewrap (dnf, pacman, apk and zypper have it under the same name)":
    "安装 bubblewrap，例如：apt-get install bubblewrap（dnf、pacman、apk 和 zypper 中名称相同）",
  'Cannot run "{program}": it is outside of what the sandbox shows': '无法运行 "{program}"：它在沙箱可见范围之外',
  'Cannot run "{program}": "{hidden}" is outside of what the sandbox shows':
    '无法运行 "{program}"："{hidden}" 在沙箱可见范围之外',
  "Use another program": "使用其他程序",
  'Add its folder to "readable" in your own configuration, or install it below /usr or /opt':
    '在你自己的配置中将其文件夹添加到 "readable"，或将其安装到 /usr 或 /opt 下',
  "Cannot run the command: the sandbox ({backend}) could not be set up: {reason}":
    "无法运行该命令：无法建立沙箱（{backend}）：{reason}",
  "its processes could not be limited": "无法限制其进程",
  "Run haft doctor to see what this machine allows": "运行 haft doctor 查看本机允许什么",
  "Cannot start a command: its session has ended": "无法启动命令：其会话已结束",
  "Cannot go on with the command: the home directory and /tmp of this session hold more than {inWords} together, so it was ended":
    "无法继续运行该命令：本会话的主目录和 /tmp 合计超过 {inWords}，因此已将其结束",
  "Write less there, and nest no folders deeper than a path can name: both are emptied before the next command. What is to stay belongs into the workspace":
    "减少写入那里的内容，文件夹嵌套也不要超过路径所能表示的深度：二者会在下一条命令之前清空。需要保留的内容应放在工作区中",
  "Cannot run the command: the home directory and /tmp of this session hold more than {inWords} together and are in use; end the jobs and interpreters of this session, then they are emptied":
    "无法运行该命令：本会话的主目录和 /tmp 合计超过 {inWords}，且正在使用中；结束本会话的作业和解释器，之后二者会被清空",
  "not all of the workspace was looked through for files that rules deny: {why}":
    "未检查完整个工作区中是否有规则拒绝的文件：{why}",
  "the workspace is read-only: rules deny writing too many of its files to hold each of them":
    "工作区为只读：规则拒绝写入的文件过多，无法逐个保护",
  "not all of {named} was looked through for files that rules deny in time":
    "未能及时检查完 {named} 中是否有规则拒绝的文件",
  "{length} more folders": "另外 {length} 个文件夹",
  "{length} files in {named} that rules deny can be read: they are too many to hide":
    "{length} 个规则拒绝的文件（位于 {named}）可被读取：数量过多，无法隐藏",
  "a file that rules deny was moved, and folders that are left out could not all be looked through for it in time":
    "规则拒绝的某个文件被移动，而未能及时在所有被略过的文件夹中查找它",
  "Cannot run a command: rules deny {count} files of the workspace, and a sandbox hides at most {maxMasks} one by one":
    "无法运行命令：规则拒绝了工作区的 {count} 个文件，而沙箱最多逐个隐藏 {maxMasks} 个",
  "Deny the folder that they are in as a whole, or move them out of the workspace":
    "整体拒绝它们所在的文件夹，或将它们移出工作区",
  "a file that rules deny has further names, and not all folders could be looked through for them in time":
    "规则拒绝的某个文件还有其他名称，而未能及时在所有文件夹中查找这些名称",
  "the probe failed: {reason}": "探测失败：{reason}",
  "the probe showed that not all of this holds: {missed}": "探测表明以下各项并非全部成立：{missed}",
  "Allow user namespaces (in a container: its security options; on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0 or a profile for bwrap), or declare the container to be the sandbox with --sandbox off":
    "允许用户命名空间（在容器中：其安全选项；在 Ubuntu 上：sysctl kernel.apparmor_restrict_unprivileged_userns=0 或为 bwrap 配置 profile），或用 --sandbox off 声明容器就是沙箱",
  "Run haft doctor and see which probe fails": "运行 haft doctor 查看哪项探测失败",
  "Cannot run commands: no sandbox can be set up here ({reasons})": "无法运行命令：此处无法建立沙箱（{reasons}）",
  "there is none for {platform}": "没有适用于 {platform} 的沙箱",
  "haft doctor shows every probe": "haft doctor 会显示所有探测",
  "no system-call filter": "没有系统调用过滤器",
  "/proc is empty: this machine does not let a sandbox have its own": "/proc 为空：本机不允许沙箱拥有自己的 /proc",
  "a wide root is shown read-only": "范围过大的根目录以只读方式显示",
  "the variable {name} is kept out because its value is a secret; to pass it: --env-secret {name2}":
    "变量 {name} 未传入，因为其值是机密；要传入，用：--env-secret {name2}",
  'Cannot run a command in "{directory}": it is outside the workspace':
    '无法在 "{directory}" 中运行命令：它在工作区之外',
  "Start it in a folder of the workspace": "在工作区的文件夹中启动它",
  "Open that folder as a further root with --root DIR": "用 --root DIR 将该文件夹作为另一个根目录打开",
  'Cannot run a command: the root "{path}" was replaced since the session was opened; open a new session':
    '无法运行命令：根目录 "{path}" 在会话打开后被替换；打开新会话',
  "commits made here are not signed: signing keys stay outside the sandbox": "此处的提交不会签名：签名密钥留在沙箱之外",
  "Cannot run the command: it did not reach the sandbox that was started ahead; try again":
    "无法运行该命令：它未到达预先启动的沙箱；重试",
  "it ended with {exitCode}": "它以 {exitCode} 结束",
  "runs a command": "能运行命令",
  "cannot write outside the view": "不能写入视图之外",
  "cannot read outside the view": "不能读取视图之外",
  "has no network": "没有网络",
  "has its own process tree": "有自己的进程树",
  "has no capabilities": "没有特权能力",
  "cannot gain privileges": "不能获得特权",
  "cannot make user namespaces": "不能创建用户命名空间",
  "cannot change settings of the kernel": "不能更改内核设置",
  "filters system calls": "过滤系统调用",
  "has its own session": "有自己的会话",
  "prepare the sandbox": "准备沙箱",
  "Not all of the workspace was looked through for protected names: {why}": "未检查完整个工作区中的受保护名称：{why}",
  "its names are no text": "其名称不是文本",
  '"{closed}" and {length} more cannot be listed': '"{closed}" 以及另外 {length} 个无法列出',
  '"{closed}" cannot be listed': '"{closed}" 无法列出',
  '"{uncompared}" has too much in it': '"{uncompared}" 中的内容过多',
  'Not all of "{folders}" was looked through for protected names': '没有在 "{folders}" 里全部查找受保护的名称',
  "this command is listed as one that runs outside the sandbox": "该命令被列为在沙箱之外运行的命令",
  "the sandbox is switched off": "沙箱已关闭",
  "no sandbox can be set up here": "此处无法建立沙箱",
  "files outside the sandbox cannot be read, but can be seen to exist": "沙箱之外的文件无法读取，但可以看到其存在",
  "it exists for macOS only": "它仅适用于 macOS",
  "/usr/bin/sandbox-exec does not exist": "/usr/bin/sandbox-exec 不存在",
  "the loopback interface is down: the program ip is not installed": "回环接口未启用：未安装程序 ip",
  "{missing} not found on PATH": "在 PATH 中未找到 {missing}",
  "Install util-linux": "安装 util-linux",
  "Cannot reach it: this session was opened with files and processes alone": "无法访问：本会话打开时只包含文件和进程",
  "Open the session with service options": "用服务选项打开会话",
  "Cannot start a process: the session is closed; open another one": "无法启动进程：会话已关闭；打开另一个会话",
  "Cannot start a process: this session was opened without any": "无法启动进程：本会话打开时不包含进程",
  "Open the session with process options": "用进程选项打开会话",
  "Cannot finish the command: the call was cancelled": "无法完成该命令：调用已取消",
  'Cannot ask "{name}" for {action}: this language server cannot do it':
    '无法向 "{name}" 请求 {action}：此语言服务器不支持',
  'Cannot look into "{path}": it has more than {limit} MB': '无法查看 "{path}" 的内容：它超过 {limit} MB',
  "Use {tool} and {tool2} instead": "改用 {tool} 和 {tool2}",
  'Cannot ask for the {action} of "{query}": it does not occur in "{path}"':
    '无法查询 {action}（"{query}"）：它没有出现在 "{path}" 中',
  'Cannot ask for the {action} of "{query}": it does not occur in line {line} in "{path}"':
    '无法查询 {action}（"{query}"）：第 {line} 行中没有出现它，文件为 "{path}"',
  "Check the name with {tool}": "用 {tool} 检查名称",
  'Cannot ask for the {action} in "{path}": {reason}': '无法查询 {action}，文件为 "{path}"：{reason}',
  "line {line} does not exist; the file has {length} lines": "第 {line} 行不存在；文件共有 {length} 行",
  "the place is missing; give line and character, or line and query with the name to look for":
    "缺少位置；给出 line 和 character，或给出 line 以及含有要查找名称的 query",
  "line {line} has {length} characters, not {character}; give query with the name":
    "第 {line} 行有 {length} 个字符，没有第 {character} 个；用 query 给出名称",
  "Cannot ask a language server: installed packages or covered files change all the time; try again when that has ended":
    "无法查询语言服务器：已安装的包或被遮盖的文件一直在变化；在变化停止后重试",
  "Cannot start a language server: this folder is not trusted, and servers run programs and settings of the project":
    "无法启动语言服务器：此文件夹不受信任，而服务器会运行项目的程序和设置",
  "Trust the folder with: haft trust": "信任该文件夹：haft trust",
  'Cannot ask about "{path}": it is outside the workspace; use a path inside it':
    '无法查询 "{path}"：它在工作区之外；使用工作区内的路径',
  "Cannot ask for {action}: it needs file_path or query": "无法请求 {action}：它需要 file_path 或 query",
  "Cannot ask for {action}: it needs file_path": "无法请求 {action}：它需要 file_path",
  'Cannot look for "{query}" in the whole workspace: its top folder holds none of {names}':
    '无法在整个工作区中查找 "{query}"：其顶层文件夹中没有以下任何一项：{names}',
  "Give {key}": "给出 {key}",
  'Cannot ask about "{path}": no language server is known for {ending}; there are some for {known}':
    '无法查询 "{path}"：没有已知的语言服务器支持 {ending}；已知支持的有 {known}',
  "files without an ending": "没有扩展名的文件",
  "Cannot ask a language server: the session is closing": "无法查询语言服务器：会话正在关闭",
  "Cannot ask about {title}: there is no language server for it in the project or on the search path":
    "无法查询 {title}：项目中和搜索路径中都没有适用的语言服务器",
  "Install one: {install}": "安装一个：{install}",
  "Cannot start a language server: while it started, {reason}; try again":
    "无法启动语言服务器：启动过程中{reason}；重试",
  "{message}; it was started 2 times and is not started again": "{message}；它已启动 2 次，不会再次启动",
  "Repair the server, for instance with: {install}; then open a new session":
    "修复服务器，例如：{install}；然后打开新会话",
  'Cannot ask the language server "{name}": it was ended; try again': '无法查询语言服务器 "{name}"：它已被结束；重试',
  "called off": "已取消",
  'Cannot talk to the language server "{name}": {reason}': '无法与语言服务器 "{name}" 通信：{reason}',
  "it does not keep to the protocol: {reason}": "它没有遵守协议：{reason}",
  "it does not read what it is sent": "它没有读取发送给它的内容",
  "it closed its input": "它关闭了输入",
  "its output cannot be read": "无法读取其输出",
  'Cannot ask the language server "{name}": it does not know this request':
    '无法查询语言服务器 "{name}"：它不认识此请求',
  'Cannot ask the language server "{name}": {words}': '无法查询语言服务器 "{name}"：{words}',
  'Cannot ask the language server "{name}": it did not answer in time': '无法查询语言服务器 "{name}"：它没有及时响应',
  'Cannot ask the language server "{name}": the call was cancelled': '无法查询语言服务器 "{name}"：调用已取消',
  'Cannot ask the language server "{name}": no answer to {method} within {ceil} s':
    '无法查询语言服务器 "{name}"：对 {method} 在 {ceil} s 内没有响应',
  "It may still be reading the project: try again later": "它可能仍在读取项目：稍后重试",
  'Cannot take the answer of the language server "{name}": it has {megabytes} MB; ask for less, for instance with a longer query':
    '无法接收语言服务器 "{name}" 的响应：它有 {megabytes} MB；减少请求的内容，例如使用更长的 query',
  "the rules or a covered file changed": "规则或被遮盖的文件已更改",
  "installed packages changed": "已安装的包已更改",
  "very many files changed": "大量文件已更改",
}
