import type { Catalogue } from "../catalogue.js"

/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */
export const files: Catalogue = {
  "the pattern becomes too large when its repetitions are unfolded; use smaller counts":
    "展开重复项后匹配模式过大；减小重复次数",
  "it is no valid regular expression, {error}; correct or escape it": "它不是有效的正则表达式，{error}；修正或转义",
  "it is no valid regular expression, {error} at character {place}; correct or escape it":
    "它不是有效的正则表达式，{error}，位于第 {place} 个字符；修正或转义",
  'Cannot {action} "{path}": it is outside the workspace; use a path inside it':
    '无法{action} "{path}"：它在工作区之外；使用工作区内的路径',
  move: "移动",
  'move "{shown}" to': '将 "{shown}" 移动到',
  "look at": "查看",
  list: "列出",
  search: "搜索",
  remove: "删除",
  undo: "撤销",
  'Cannot {action} "{shown}": a path cannot contain a NUL character; remove it':
    '无法{action} "{shown}"：路径不能包含 NUL 字符；将其删除',
  find: "查找",
  'Cannot {action} "": the path is empty; name a file or "."': '无法{action} ""：路径为空；指定文件或 "."',
  'Cannot {action} "{shown}": this call may not read it': '无法{action} "{shown}"：本次调用无权读取它',
  'Cannot {action} "{shown}": this call may not write it': '无法{action} "{shown}"：本次调用无权写入它',
  'Cannot {action} "{shown}": this call may not remove it': '无法{action} "{shown}"：本次调用无权删除它',
  'Cannot {action} "{shown}": the call was cancelled': '无法{action} "{shown}"：调用已取消',
  'Cannot move "{shown}": it may not be read, and could be read at the new place':
    '无法移动 "{shown}"：它不允许读取，但移到新位置后就可以读取',
  'Cannot move "{shown}": something in it may not be read, and could be read at the new place':
    '无法移动 "{shown}"：其中有不允许读取的内容，但移到新位置后就可以读取',
  'Cannot {action} "{shown}": something is there already; choose another name':
    '无法{action} "{shown}"：那里已有内容；换一个名称',
  "Nothing is overwritten: choose another name, or remove what is there first":
    "不会覆盖任何内容：换一个名称，或先删除那里已有的内容",
  'Cannot move "{shown}": it is a link; move what it leads to': '无法移动 "{shown}"：它是链接；移动它指向的内容',
  'Cannot move "{shown}": the working directory is in it': '无法移动 "{shown}"：工作目录在其中',
  'Cannot move "{shown}": it is a root of this session; move what is in it':
    '无法移动 "{shown}"：它是本会话的根目录；移动其中的内容',
  'Cannot {action} "{shown}": both are the same place; name another place':
    '无法{action} "{shown}"：两者是同一位置；指定其他位置',
  'Cannot {action} "{shown}": a folder cannot be moved into itself; name another place':
    '无法{action} "{shown}"：文件夹不能移动到自身之中；指定其他位置',
  'Cannot move "{shown}": it was changed by somebody else meanwhile; try again':
    '无法移动 "{shown}"：它在此期间被他人更改；重试',
  'Cannot move "{path}": it was changed while it was copied; try again':
    '无法移动 "{path}"：它在复制过程中被更改；重试',
  'Cannot move "{shown}": a folder cannot be moved to another file system; move its files one by one':
    '无法移动 "{shown}"：文件夹不能移动到另一个文件系统；逐个移动其中的文件',
  'Cannot move "{shown}": the root "{absolute}" is in it': '无法移动 "{shown}"：根目录 "{absolute}" 在其中',
  'Cannot move "{shown}": it holds {what}; move its parts one by one':
    '无法移动 "{shown}"：它含有{what}；分部分逐个移动',
  "more than 10000 entries": "超过 10000 个条目",
  "more than {maxBytes} bytes": "超过 {maxBytes} 字节",
  'Cannot move "{shown}": it holds a name that is no valid UTF-8': '无法移动 "{shown}"：它含有不是有效 UTF-8 的名称',
  'Cannot {action} "{shown}": it is a directory': '无法{action} "{shown}"：它是目录',
  "List it with {tool}": "用 {tool} 列出其内容",
  'Cannot {action} "{shown}": it is {kindOf}; only regular files can be used':
    '无法{action} "{shown}"：它是 {kindOf}；只能使用普通文件',
  "a FIFO": "FIFO",
  "a socket": "套接字",
  "a device": "设备",
  "no regular file": "非普通文件",
  'Cannot read "{shown}": it was closed before; open it again': '无法读取 "{shown}"：它已被关闭；重新打开',
  "Cannot {action} \"{shown}\": it does not exist; this is the session's own /tmp, which has none of the machine's files; did you mean {names}?":
    '无法{action} "{shown}"：它不存在；这是会话自己的 /tmp，其中没有本机的文件；你是指 {names}？',
  "Cannot {action} \"{shown}\": it does not exist; this is the session's own /tmp, which has none of the machine's files":
    '无法{action} "{shown}"：它不存在；这是会话自己的 /tmp，其中没有本机的文件',
  'Cannot {action} "{shown}": it does not exist; did you mean {names}?':
    '无法{action} "{shown}"：它不存在；你是指 {names}？',
  'Cannot {action} "{shown}": it does not exist': '无法{action} "{shown}"：它不存在',
  "Use one of the near names": "使用相近名称之一",
  "Look for it with {tool}": "用 {tool} 查找",
  'Cannot {action} "{shown}": it has {size} bytes and the limit is {maxBytes}; use a part of it':
    '无法{action} "{shown}"：它有 {size} 字节，而上限是 {maxBytes}；只使用其中一部分',
  'Cannot look at "{shown}": it is neither a file nor a directory': '无法查看 "{shown}"：它既不是文件也不是目录',
  'Cannot {action} "{shown}": it is not a directory': '无法{action} "{shown}"：它不是目录',
  "Open it with {tool}": "用 {tool} 打开",
  'Cannot search "{shown}": it does not exist': '无法搜索 "{shown}"：它不存在',
  'Cannot {action} "{shown}": the session is closed; open another one':
    '无法{action} "{shown}"：会话已关闭；打开另一个会话',
  "keep the output of": "保留该调用的输出",
  'Cannot work in "{path}": it does not exist; name a directory inside a root':
    '无法在 "{path}" 中工作：它不存在；指定根目录内的目录',
  "work in": "进入",
  'Cannot work in "{path}": it is outside the roots; name a directory inside one':
    '无法在 "{path}" 中工作：它在根目录之外；指定根目录内的目录',
  "clean up after a killed process": "清理被终止进程的残留",
  "Use another path, or go on without it": "使用其他路径，或在没有它的情况下继续",
  "Check owner and mode of the file": "检查文件的所有者和权限位",
  "Write less, or elsewhere": "减少写入的内容，或写到别处",
  "Free some space": "释放一些空间",
  "a part of its path is not a directory": "其路径中的某一部分不是目录",
  "the operating system refuses access": "操作系统拒绝访问",
  "the file system is read-only": "文件系统是只读的",
  "Choose a path on a writable file system": "选择可写文件系统上的路径",
  "it is a device, FIFO or socket": "它是设备、FIFO 或套接字",
  "its links lead in a circle": "其链接形成循环",
  "its name is too long": "其名称过长",
  "Choose a shorter name": "选择较短的名称",
  "the file system does not take this name": "文件系统不接受该名称",
  "something else was created there meanwhile": "在此期间那里创建了其他内容",
  "Try again": "重试",
  "the directory is not empty": "目录不为空",
  "the two places are on different file systems": "两个位置在不同的文件系统上",
  "the file system does not take files of this size": "文件系统不接受这么大的文件",
  "no space is left on the device": "设备上没有剩余空间",
  "the disk quota is used up": "磁盘配额已用完",
  "the device reports an input/output error": "设备报告输入/输出错误",
  "too many files are open": "打开的文件过多",
  "Try again with fewer calls at a time": "减少同时进行的调用后重试",
  "it is in use": "它正在使用中",
  "Try again later": "稍后重试",
  "the remote file system lost track of it": "远程文件系统已失去对它的跟踪",
  "the remote file system does not answer": "远程文件系统没有响应",
  "the operating system reports {errno}": "操作系统报告 {errno}",
  'Cannot {action} "{shown}": {reason}': '无法{action} "{shown}"：{reason}',
  make: "创建",
  "open as a root": "作为根目录打开",
  'Cannot {action} "{path}{below}": {reason}': '无法{action} "{path}{below}"：{reason}',
  "it is a device, a pipe or a socket": "它是设备、管道或套接字",
  "another file system is mounted there": "那里挂载了另一个文件系统",
  "its name is not UTF-8": "其名称不是 UTF-8",
  'Cannot {action} "{path}{below}": it is being changed; try again': '无法{action} "{path}{below}"：它正在被更改；重试',
  'Cannot {action} "{path}": it holds {what}; name a smaller part of it':
    '无法{action} "{path}"：它含有{what}；指定其中较小的一部分',
  "more than {entries} files and folders": "超过 {entries} 个文件和文件夹",
  "more than {floor} MB": "超过 {floor} MB",
  'Cannot {action} "{shown}": the root "{path}" was replaced since the session was opened; open a new session':
    '无法{action} "{shown}"：根目录 "{path}" 在会话打开后被替换；打开新会话',
  'Cannot {action} "{shown}": its path is being changed; try again': '无法{action} "{shown}"：其路径正在被更改；重试',
  'Cannot {action} "{shown}": "{path}" is not a directory': '无法{action} "{shown}"："{path}" 不是目录',
  'Cannot {action} "{shown}": its links lead in a circle': '无法{action} "{shown}"：其链接形成循环',
  'Cannot {action} "{shown}": the link "{path}" leads outside the workspace; use a path inside it':
    '无法{action} "{shown}"：链接 "{path}" 指向工作区之外；使用工作区内的路径',
  'Cannot look into "{path}": it is not held any more; open another session':
    '无法查看 "{path}" 的内容：它已不再保持打开；打开另一个会话',
  'Cannot open "{path}" as a root: it is not a directory; name a directory':
    '无法将 "{path}" 作为根目录打开：它不是目录；指定目录',
  'Cannot open "{path}" as a root: it does not exist; create the directory first':
    '无法将 "{path}" 作为根目录打开：它不存在；先创建该目录',
  'Cannot open "{path}": its path is being changed; try again': '无法打开 "{path}"：其路径正在被更改；重试',
  'Cannot {action} "{shown}": it was changed by somebody else meanwhile':
    '无法{action} "{shown}"：它在此期间被他人更改',
  'Cannot {action} "{shown}": it was created by somebody else meanwhile':
    '无法{action} "{shown}"：它在此期间被他人创建',
  'Cannot {action} "{shown}": it was removed by somebody else meanwhile':
    '无法{action} "{shown}"：它在此期间被他人删除',
  "Read the file again": "重新读取文件",
  'Cannot remove "{shown}": it is a directory; name a file in it': '无法删除 "{shown}"：它是目录；指定其中的文件',
  'Cannot remove "{shown}": its content is not the expected one; read it again':
    '无法删除 "{shown}"：其内容与预期不符；重新读取',
  'Cannot write "{shown}": {name} of this session would exceed {maxBytes} bytes; remove files from it first':
    '无法写入 "{shown}"：本会话的 {name} 将超过 {maxBytes} 字节；先从中删除文件',
  'Cannot {action} "{shown}": another process is writing it; try again later':
    '无法{action} "{shown}"：另一个进程正在写入它；稍后重试',
  edit: "编辑",
  'Cannot {action} "{path}": it names a directory; add a name': '无法{action} "{path}"：它指定的是目录；加上名称',
  'Cannot {action} "{shown}": it exists already': '无法{action} "{shown}"：它已存在',
  "Read the file, and update it or choose another name": "读取该文件并更新它，或换一个名称",
  'Cannot write "{shown}": it was changed since it was last read; read it again\n{diff}':
    '无法写入 "{shown}"：它在上次读取后已更改；重新读取\n{diff}',
  "... {length} more lines": "... 还有 {length} 行",
  'Cannot write "{shown}": it was changed since it was last read; read it again':
    '无法写入 "{shown}"：它在上次读取后已更改；重新读取',
  'Cannot use the proxy "{shownUrl}": write it like "http://proxy.example:3128" or "socks5://proxy.example:1080"':
    '无法使用代理 "{shownUrl}"：写成 "http://proxy.example:3128" 或 "socks5://proxy.example:1080" 的形式',
  'Cannot reach "{shownUrl}": {message}': '无法访问 "{shownUrl}"：{message}',
  'Cannot fetch "{url}": {message}; the way there was {visited}': '无法获取 "{url}"：{message}；经过的路径为 {visited}',
  "Give it more time with {key}": "用 {key} 给它更多时间",
  "Fetch the last address of the way, or ask for another page": "获取路径中的最后一个地址，或请求其他页面",
  "Ask for a smaller page or a part of it": "改为请求较小的页面或其中一部分",
  "Check the host name": "检查主机名",
  "Check whether this port speaks http instead of https": "检查该端口使用的是否是 http 而不是 https",
  "Check that the port is one of a web server": "检查该端口是否属于 Web 服务器",
  "Ask for another address of the same site": "改为请求同一站点的其他地址",
  "Use another address, or go on without it": "使用其他地址，或在没有它的情况下继续",
  "Check the spelling, and whether this machine has a network": "检查拼写，以及本机是否有网络",
  'Try again, or send the header "accept-encoding: identity"': '重试，或发送标头 "accept-encoding: identity"',
  "Ask for gzip, deflate or br": "改为请求 gzip、deflate 或 br",
  "Put the user name and password into the address of the proxy": "将用户名和密码写入代理的地址",
  "Check the clock of this machine; a private authority belongs into the configuration":
    "检查本机的时钟；私有证书颁发机构应写入配置",
  "{destinationText} (through the proxy {destinationText2})": "{destinationText}（通过代理 {destinationText2}）",
  "refuses connections": "拒绝连接",
  "Check the port, and whether the server runs": "检查端口，以及服务器是否在运行",
  "cannot be reached from here": "无法从此处访问",
  "cannot be reached: no network leads there": "无法访问：没有通往那里的网络",
  "does not answer": "没有响应",
  'Cannot use the glob "{pattern}": {reason}': '无法使用 glob "{pattern}"：{reason}',
  "its braces mean more than 256 patterns": "其花括号展开后超过 256 个匹配模式",
  "it mixes absolute and relative alternatives": "它混用了绝对和相对的选项",
  '".." may be only at its beginning': '".." 只能出现在开头',
  "it contains a NUL character": "它包含 NUL 字符",
  "it is longer than 4096 characters": "它超过 4096 个字符",
  "exclusion is not supported": "不支持排除",
  'its "{pattern}" at character {lone} is never closed': '其第 {lone} 个字符处的 "{pattern}" 未闭合',
  'its "{pattern}" at character {lone} closes nothing': '其第 {lone} 个字符处的 "{pattern}" 没有对应的开头',
  "a comma separates patterns only in braces": "逗号只在花括号内分隔匹配模式",
  '"|" does not separate patterns': '"|" 不分隔匹配模式',
  "use fewer alternatives or a wildcard": "减少选项或使用通配符",
  "search twice": "分两次搜索",
  "name the folder itself": "直接指定该文件夹",
  'use "**" for every file': '用 "**" 表示所有文件',
  "use a shorter pattern": "使用较短的匹配模式",
  'name what to include, or write "\\!" for a name that begins with "!"':
    '指定要包含的内容，或对以 "!" 开头的名称写 "\\!"',
  'Send "{pattern}}}", or "{pattern2}\\{pattern3}" for the character itself':
    '发送 "{pattern}}}"，或用 "{pattern2}\\{pattern3}" 表示该字符本身',
  'Send "{pattern}\\{pattern2}" for the character itself, or give it its partner':
    '发送 "{pattern}\\{pattern2}" 表示该字符本身，或补上与之配对的括号',
  'Send "{{{parts}}}"; for the character itself put a backslash before it':
    '发送 "{{{parts}}}"；要表示该字符本身，在前面加反斜杠',
  "Cannot search for a pattern with a NUL character; remove it": "无法搜索含有 NUL 字符的匹配模式；将其删除",
  'Cannot search for "{pattern}…": it is longer than 16384 characters; use a part of it':
    '无法搜索 "{pattern}…"：它超过 16384 个字符；使用其中一部分',
  'Cannot list "{pattern}": ripgrep says "{complaints}"': '无法列出 "{pattern}"：ripgrep 报告 "{complaints}"',
  'Cannot search for "{shorten}": ripgrep says "{shorten2}"': '无法搜索 "{shorten}"：ripgrep 报告 "{shorten2}"',
  'Cannot search for "{shorten}": {reason}': '无法搜索 "{shorten}"：{reason}',
  "To find this text as it is, use the pattern {shorten}": "要按原样查找该文本，使用匹配模式 {shorten}",
  'Cannot search for "{shorten}": it needs too many steps in "{path}", PCRE2 says "{reason}"':
    '无法搜索 "{shorten}"：它在 "{path}" 中需要的步骤过多，PCRE2 报告 "{reason}"',
  "Write it without repetitions inside of repetitions, without look-around and back-references, or leave this file out with path or glob":
    "避免嵌套重复，不使用环视和反向引用，或用 path 或 glob 排除该文件",
  'Cannot search for "{shorten}": this ripgrep was built without PCRE2, which look-around and back-references need':
    '无法搜索 "{shorten}"：此 ripgrep 构建时未包含 PCRE2，而环视和反向引用需要它',
  "Search without look-around and back-references, and look through what is found":
    "不使用环视和反向引用进行搜索，再查看找到的内容",
  'Cannot search for "{shorten}": it contains a line break, and the search goes line by line':
    '无法搜索 "{shorten}"：它包含换行符，而搜索是逐行进行的',
  "Search for a part that is in one line": "搜索位于同一行内的部分",
  'Cannot search: ripgrep for "{platform}-{arch}" is not installed':
    '无法搜索：未安装适用于 "{platform}-{arch}" 的 ripgrep',
  "Install it with: npm install @vscode/ripgrep-{platform}-{arch} (and do not pass --omit=optional)":
    "安装命令：npm install @vscode/ripgrep-{platform}-{arch}（不要传入 --omit=optional）",
  "Cannot search: ripgrep did not start, {message}": "无法搜索：ripgrep 未能启动，{message}",
  "Cannot search: ripgrep was ended by {signal}": "无法搜索：ripgrep 被 {signal} 终止",
  "Cannot finish the search: the call was cancelled": "无法完成搜索：调用已取消",
  "Cannot search: a file has a line that is too long to hold in memory": "无法搜索：某个文件有一行过长，内存中放不下",
  "Leave the file out with a narrower {key}": "用更窄的 {key} 排除该文件",
  'Cannot read the file history "{historyFolder}": {error}': '无法读取文件历史 "{historyFolder}"：{error}',
  'Cannot write "{path}/{name}": it was changed meanwhile; read it again':
    '无法写入 "{path}/{name}"：它在此期间被更改；重新读取',
  'Cannot undo "{path}": what was there is not in the file history any more':
    '无法撤销 "{path}"：原有内容已不在文件历史中',
  "The set-user-id and set-group-id bits of {named} were removed": "已移除 {named} 的 set-user-id 和 set-group-id 位",
  '"{shownFrom}" and {length} more': '"{shownFrom}" 以及另外 {length} 个',
  "The set-user-id and set-group-id bits of {named} could not be removed":
    "无法移除 {named} 的 set-user-id 和 set-group-id 位",
  "Installed packages could not all be looked through for set-user-id files in time":
    "未能及时检查完已安装的包中的 set-user-id 文件",
  "The workspace is too large to compare (more than {entries} entries, or too slow to look at); changes were not listed and cannot be undone":
    "工作区过大，无法比较（超过 {entries} 个条目，或查看过慢）；更改未列出，也无法撤销",
  "{leftOut} more changes are not listed and cannot be undone": "另有 {leftOut} 处更改未列出，且无法撤销",
  "The former content of {named} was not kept: {kept}": "没有保留 {named} 原来的内容：{kept}",
  "What {named} holds now could not be read, so that it cannot be undone": "无法读取 {named} 现在的内容，因此无法撤销",
  "Other commands ran at the same time, and some of these changes may be theirs":
    "同时还有其他命令在运行，其中一些更改可能出自它们",
  'Cannot undo "{path}": it was changed meanwhile; try again': '无法撤销 "{path}"：它在此期间被更改；重试',
  "link:{text}": "link:{text}",
  'Cannot undo "{shown}": it is not as the call left it: {reason}':
    '无法撤销 "{shown}"：它已不是调用结束时的状态：{reason}',
  "its path leads elsewhere now": "其路径现在指向别处",
  "it was removed": "它已被删除",
  "it exists again": "它又存在了",
  "its content changed at {when}\n{diff}": "其内容在 {when} 更改\n{diff}",
  "its content changed at {when}": "其内容在 {when} 更改",
  "it is a folder with something in it": "它是非空文件夹",
  "Look at the file and change it by hand": "查看该文件并手动更改",
  'Cannot undo "{path}": "{folder}" is a link now, or behind one':
    '无法撤销 "{path}"："{folder}" 现在是链接，或位于链接之后',
  'Cannot undo "{path}": its former content is not in the file history any more':
    '无法撤销 "{path}"：其先前的内容已不在文件历史中',
  "its former content was not kept: {lost}": "其先前的内容未保留：{lost}",
  "it may hold the last copy of what was not kept": "它可能含有未保留内容的最后一份副本",
  'Cannot undo "{path}": its former content was not kept: {lost}': '无法撤销 "{path}"：其先前的内容未保留：{lost}',
  'Cannot undo "{path}": it was changed by somebody else between the calls':
    '无法撤销 "{path}"：它在两次调用之间被他人更改',
  "Cannot undo any call: there is none with file effects here": "无法撤销任何调用：此处没有更改过文件的调用",
  'Cannot undo call "{callId}": there is none with file effects here':
    '无法撤销调用 "{callId}"：此处没有这样一个更改过文件的调用',
  "See the calls of a session with: haft session show ID": "查看会话的调用：haft session show ID",
  'Cannot undo call "{callId}": it is a copy, and the first one made the changes':
    '无法撤销调用 "{callId}"：它是副本，更改由最初的调用作出',
  "Take those back with: haft undo {copyOf}": "撤销那些更改：haft undo {copyOf}",
  'Cannot undo call "{callId}": it was undone {toISOString}': '无法撤销调用 "{callId}"：它已于 {toISOString} 撤销',
  'Cannot undo the newest call "{callId}": {reason}': '无法撤销最近的调用 "{callId}"：{reason}',
  "undo another call with: haft undo CALL; see the calls with: haft session show ID":
    "撤销其他调用：haft undo CALL；查看调用：haft session show ID",
  "{hint}, or undo another call with: haft undo CALL; see the calls with: haft session show ID":
    "{hint}，或撤销其他调用：haft undo CALL；查看调用：haft session show ID",
}
