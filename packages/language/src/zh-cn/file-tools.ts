import type { Catalogue } from "../catalogue.js"

/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */
export const fileTools: Catalogue = {
  'it does not end with "*** End Patch"': '它没有以 "*** End Patch" 结尾',
  '"{shortened}" is not a header such as "*** Update File: path"':
    '"{shortened}" 不是 "*** Update File: path" 之类的头部',
  "a file that is deleted has no lines": "被删除的文件不能带有行",
  'every line of a new file begins with "+"': '新文件的每一行都要以 "+" 开头',
  'there is no change for "{path}"': '没有针对 "{path}" 的更改',
  '"{shortened}" begins neither with a blank nor with "-" or "+"': '"{shortened}" 没有以空格、"-" 或 "+" 开头',
  "the hunk adds and removes nothing": "该补丁块既没有新增也没有删除",
  "the hunk has no line to find its place by; add lines of the file around it":
    "该补丁块没有可用于定位的行；加上文件中它前后的行",
  "it names {length} files, 1000 are allowed; split it": "它涉及 {length} 个文件，上限为 1000；拆分",
  '"{path}" is no name of a file': '"{path}" 不是文件名',
  '"{replaceAll}" has a NUL character': '"{replaceAll}" 含有 NUL 字符',
  'it names "{path}" twice; put all changes of a file under one header':
    '它两次提到 "{path}"；将同一文件的所有更改放在一个头部之下',
  "a hunk without the name of a file (--- and +++) before it": "补丁块之前没有文件名（--- 和 +++）",
  "both names are /dev/null": "两个名称都是 /dev/null",
  'the new file "{newPath}" has lines to remove or keep': '新文件 "{newPath}" 含有要删除或保留的行',
  'it names two files, "{oldPath}" and "{newPath}", and does not say "rename from"':
    '它提到两个文件 "{oldPath}" 和 "{newPath}"，却没有写 "rename from"',
  "the name of the file is missing": "缺少文件名",
  'cannot tell the two names apart in "{text}"': '无法区分 "{text}" 中的两个名称',
  "the quoted name {text} has an unknown escape": "带引号的名称 {text} 含有未知的转义",
  "the quoted name {text} has no end": "带引号的名称 {text} 没有结尾",
  '"rename from" and "rename to" belong together': '"rename from" 和 "rename to" 必须同时出现',
  'Cannot patch "{path}": hunk {number} (line {patchLine} of the patch) has no place: {reason}':
    '无法修补 "{path}"：补丁块 {number}（补丁第 {patchLine} 行）找不到位置：{reason}',
  "the line {anchors} after @@ does not occur where it should": "@@ 之后的行 {anchors} 没有出现在应有的位置",
  "its lines occur {length} times, at lines {lines} and more; add surrounding lines or an @@ line":
    "其行出现 {length} 次，位于第 {lines} 行及更多位置；加上前后的行或一个 @@ 行",
  "its lines occur {length} times, at lines {lines}; add surrounding lines or an @@ line":
    "其行出现 {length} 次，位于第 {lines} 行；加上前后的行或一个 @@ 行",
  "{reason}; put the hunks in the order of the file": "{reason}；按文件中的顺序排列补丁块",
  "its lines are only at line {all}, not at the end of the file": "其行只出现在第 {all} 行，不在文件末尾",
  "line {startLine}, not at the end of the file": "第 {startLine} 行，不在文件末尾",
  "lines {startLine} to {endLine}, not at the end of the file": "第 {startLine} 到 {endLine} 行，不在文件末尾",
  "its lines are only at line {all}, before the change that precedes it": "其行只出现在第 {all} 行，位于前一处更改之前",
  "line {startLine}, before the change that precedes it": "第 {startLine} 行，位于前一处更改之前",
  "lines {startLine} to {endLine}, before the change that precedes it":
    "第 {startLine} 到 {endLine} 行，位于前一处更改之前",
  "its lines do not occur in the file, and nothing similar does": "其行没有出现在文件中，也没有相似的内容",
  "its lines do not occur in the file; the nearest text is at its lines are only at line {all}, {summary} (- as sent, + as in the file):\n{diff}":
    "其行没有出现在文件中；最接近的文本只在第 {all} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}",
  "its lines do not occur in the file; the nearest text is at line {startLine}, {summary} (- as sent, + as in the file):\n{diff}":
    "其行没有出现在文件中；最接近的文本在第 {startLine} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}",
  "its lines do not occur in the file; the nearest text is at lines {startLine} to {endLine}, {summary} (- as sent, + as in the file):\n{diff}":
    "其行没有出现在文件中；最接近的文本在第 {startLine} 到 {endLine} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}",
  "Read the file again and make the patch from its present lines; nothing was changed":
    "重新读取文件，并根据其当前内容制作补丁；未更改任何内容",
  'Cannot bring back "{path}": it has no content to write': '无法恢复 "{path}"：没有可写入的内容',
  'Cannot patch "{path}": it was changed by somebody else meanwhile': '无法修补 "{path}"：它在此期间被他人更改',
  "{message}; nothing was changed": "{message}；未更改任何内容",
  "{message}; everything before it was taken back": "{message}；此前的一切都已撤销",
  "{message}; these could not be taken back: {stuck}": "{message}；以下内容无法撤销：{stuck}",
  "Cannot use the patch: {reason}": "无法使用该补丁：{reason}",
  "Cannot use the patch: line {patchLine}: {reason}": "无法使用该补丁：第 {patchLine} 行：{reason}",
  "Send a unified diff as git diff prints it, or the *** Begin Patch form":
    "发送 git diff 所打印的统一 diff，或 *** Begin Patch 格式",
  "Cannot use the patch: line {patchLine}: modes cannot be set": "无法使用该补丁：第 {patchLine} 行：不能设置权限位",
  "Cannot add lines at the end of the file: its last line has no line break and holds bytes that are no characters; end that line first":
    "无法在文件末尾添加行：其最后一行没有换行符，且含有不是字符的字节；先结束该行",
  "Cannot apply the patch: its files have more than {maxTotalBytes} bytes; split it":
    "无法应用该补丁：其文件超过 {maxTotalBytes} 字节；拆分",
  'Cannot apply the patch: "{other}" and "{path}" are the same file':
    '无法应用该补丁："{other}" 和 "{path}" 是同一个文件',
  'Cannot apply the patch: "{path}" exists already; nothing was changed':
    '无法应用该补丁："{path}" 已存在；未更改任何内容',
  "Update the file, or choose another name": "更新该文件，或换一个名称",
  'Cannot delete "{path}": the patch does not remove all of it, {length} bytes would be left; nothing was changed':
    '无法删除 "{path}"：补丁没有移除其全部内容，会剩下 {length} 字节；未更改任何内容',
  "its mode {mode} was not set": "其权限位 {mode} 未设置",
  "it changes a binary file": "它更改二进制文件",
  "it copies a file; add the copy instead": "它复制文件；改为添加副本",
  "it changes a symbolic link": "它更改符号链接",
  "it changes a submodule": "它更改子模块",
  'Cannot edit "{path}": the file is binary and has no known encoding':
    '无法编辑 "{path}"：该文件是二进制文件，没有已知的编码',
  "Only ASCII text can be replaced in a binary file": "二进制文件中只能替换 ASCII 文本",
  'Cannot edit "{path}": it would have {size} bytes, {maxTextBytes} are allowed':
    '无法编辑 "{path}"：编辑后会有 {size} 字节，上限为 {maxTextBytes}',
  "Split the file": "拆分该文件",
  'Cannot edit "{path}": the text to replace occurs {count} times, at line {lines} and more; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次，位于第 {lines} 行及更多位置；加上前后的行或设置 replace_all',
  "at least {countedOccurrences}": "至少 {countedOccurrences}",
  'Cannot edit "{path}": the text to replace occurs {count} times, at line {lines}; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次，位于第 {lines} 行；加上前后的行或设置 replace_all',
  'Cannot edit "{path}": the text to replace occurs {count} times, at lines {lines} and more; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次，位于第 {lines} 行及更多位置；加上前后的行或设置 replace_all',
  'Cannot edit "{path}": the text to replace occurs {count} times, at lines {lines}; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次，位于第 {lines} 行；加上前后的行或设置 replace_all',
  'Cannot edit "{path}": the text to replace occurs {count} times when {normalised} are disregarded, at line {lines} and more; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次（忽略 {normalised} 时），位于第 {lines} 行及更多位置；加上前后的行或设置 replace_all',
  'Cannot edit "{path}": the text to replace occurs {count} times when {normalised} are disregarded, at line {lines}; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次（忽略 {normalised} 时），位于第 {lines} 行；加上前后的行或设置 replace_all',
  'Cannot edit "{path}": the text to replace occurs {count} times when {normalised} are disregarded, at lines {lines} and more; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次（忽略 {normalised} 时），位于第 {lines} 行及更多位置；加上前后的行或设置 replace_all',
  'Cannot edit "{path}": the text to replace occurs {count} times when {normalised} are disregarded, at lines {lines}; add surrounding lines or set replace_all':
    '无法编辑 "{path}"：要替换的文本出现 {count} 次（忽略 {normalised} 时），位于第 {lines} 行；加上前后的行或设置 replace_all',
  "Add surrounding lines to old_string and new_string, or set replace_all":
    "在 old_string 和 new_string 中加上前后的行，或设置 replace_all",
  'Cannot edit "{path}": old_string does not occur in the file, which is empty':
    '无法编辑 "{path}"：old_string 没有出现在文件中，文件是空的',
  "Fill it with {tool}": "用 {tool} 填写它",
  'Cannot edit "{path}": old_string does not occur in the file, and nothing similar does{present}; read the file again':
    '无法编辑 "{path}"：old_string 没有出现在文件中，也没有相似的内容{present}；重新读取文件',
  ", but new_string does, at line {lineOf}": "，但 new_string 出现在第 {lineOf} 行",
  "Read the file and copy the text to replace from it": "读取文件，并从中复制要替换的文本",
  'Cannot edit "{path}": old_string does not occur in the file{present}; the nearest text is at line {startLine}, {summary} (- as sent, + as in the file):\n{diff}':
    '无法编辑 "{path}"：old_string 没有出现在文件中{present}；最接近的文本在第 {startLine} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}',
  'Cannot edit "{path}": old_string does not occur in the file{present}; the nearest text is at line {startLine}, and as near at line {others}, {summary} (- as sent, + as in the file):\n{diff}':
    '无法编辑 "{path}"：old_string 没有出现在文件中{present}；最接近的文本在第 {startLine} 行，同样接近的在第 {others} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}',
  'Cannot edit "{path}": old_string does not occur in the file{present}; the nearest text is at line {startLine}, and as near at lines {others}, {summary} (- as sent, + as in the file):\n{diff}':
    '无法编辑 "{path}"：old_string 没有出现在文件中{present}；最接近的文本在第 {startLine} 行，同样接近的在第 {others} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}',
  'Cannot edit "{path}": old_string does not occur in the file{present}; the nearest text is at lines {startLine} to {endLine}, {summary} (- as sent, + as in the file):\n{diff}':
    '无法编辑 "{path}"：old_string 没有出现在文件中{present}；最接近的文本在第 {startLine} 到 {endLine} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}',
  'Cannot edit "{path}": old_string does not occur in the file{present}; the nearest text is at lines {startLine} to {endLine}, and as near at line {others}, {summary} (- as sent, + as in the file):\n{diff}':
    '无法编辑 "{path}"：old_string 没有出现在文件中{present}；最接近的文本在第 {startLine} 到 {endLine} 行，同样接近的在第 {others} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}',
  'Cannot edit "{path}": old_string does not occur in the file{present}; the nearest text is at lines {startLine} to {endLine}, and as near at lines {others}, {summary} (- as sent, + as in the file):\n{diff}':
    '无法编辑 "{path}"：old_string 没有出现在文件中{present}；最接近的文本在第 {startLine} 到 {endLine} 行，同样接近的在第 {others} 行，{summary}（- 为发送的内容，+ 为文件中的内容）：\n{diff}',
  "Send whole lines as they are in the file, in old_string and, where they stay, in new_string":
    "按文件中的原样在 old_string 中发送整行，保留不变的行也要写入 new_string",
  "Send whole lines as they are in the file, with a line around them that is there only once":
    "按文件中的原样发送整行，并带上附近一个只出现一次的行",
  "If this is the text, send old_string as it is in the file at {where}":
    "如果是这段文本，按文件中的原样发送 old_string（{where}）",
  "lines {startLine} to {endLine}": "第 {startLine} 到 {endLine} 行",
  "If this is the text, send old_string as it is in the file at {where}, and new_string with the same indentation":
    "如果是这段文本，按文件中的原样发送 old_string（{where}），new_string 使用相同的缩进",
  "If this is the text, send old_string {texts}": "如果是这段文本，发送 old_string {texts}",
  "{stem}; it does without the backslashes: the text was escaped once too often":
    "{stem}；去掉反斜杠后则会出现：该文本多转义了一次",
  'Cannot edit "{path}": old_string does not occur in the file': '无法编辑 "{path}"：old_string 没有出现在文件中',
  "Send line breaks, tabs and quotes themselves in old_string and new_string, not a backslash and a letter":
    "在 old_string 和 new_string 中直接发送换行、制表符和引号，而不是反斜杠加字母",
  'Cannot edit "{path}": the file is binary and does not hold old_string exactly':
    '无法编辑 "{path}"：该文件是二进制文件，且不含与 old_string 完全一致的内容',
  "In a binary file only exact ASCII text can be replaced": "二进制文件中只能替换完全一致的 ASCII 文本",
  'Cannot edit "{path}": old_string is empty; name the text to replace':
    '无法编辑 "{path}"：old_string 为空；指定要替换的文本',
  "To create a file or replace all of it use {tool}": "要创建文件或替换其全部内容，使用 {tool}",
  'Cannot edit "{path}": old_string and new_string are the same; nothing to do':
    '无法编辑 "{path}"：old_string 和 new_string 相同；无需更改',
  "{message}; nothing was moved": "{message}；未移动任何内容",
  "{message}; the move before it was taken back": "{message}；此前的移动已撤销",
  "{message}; the {number} moves before it were taken back": "{message}；此前的 {number} 次移动已撤销",
  "{message}; these could not be moved back: {stuck}": "{message}；以下内容无法移回：{stuck}",
  "{message} (move {number} of {count}); nothing was moved":
    "{message}（第 {number} 次移动，共 {count} 次）；未移动任何内容",
  "{message} (move {number} of {count}); the move before it was taken back":
    "{message}（第 {number} 次移动，共 {count} 次）；此前的移动已撤销",
  "{message} (move {number} of {count}); the {number2} moves before it were taken back":
    "{message}（第 {number} 次移动，共 {count} 次）；此前的 {number2} 次移动已撤销",
  "{message} (move {number} of {count}); these could not be moved back: {stuck}":
    "{message}（第 {number} 次移动，共 {count} 次）；以下内容无法移回：{stuck}",
  'Cannot move "{from}" to "{to}": {reason}; nothing was moved':
    '无法将 "{from}" 移动到 "{to}"：{reason}；未移动任何内容',
  'Cannot move "{from}" to "{to}" (move {number}): {reason}; nothing was moved':
    '无法将 "{from}" 移动到 "{to}"（第 {number} 次移动）：{reason}；未移动任何内容',
  'Cannot read "{path}" from byte {byteOffset}: the file has {size} bytes':
    '无法读取 "{path}" 从第 {byteOffset} 字节起的内容：该文件有 {size} 字节',
  "Begin earlier with {key}": "用 {key} 从更早处开始",
  'Cannot read "{file_path}" by lines and by bytes at once: leave out offset and limit, or byte_offset and byte_limit':
    '无法同时按行和按字节读取 "{file_path}"：省略 offset 和 limit，或 byte_offset 和 byte_limit',
  'Cannot read a part of "{file_path}": it is an image ({mediaType})':
    '无法读取 "{file_path}" 的一部分：它是图像（{mediaType}）',
  "Leave out {key}": "省略 {key}",
  'Cannot read "{path}": it is a binary file of {size} byte; only text, images, PDF and notebooks can be read':
    '无法读取 "{path}"：它是 {size} 字节的二进制文件；只能读取文本、图像、PDF 和笔记本',
  'Cannot read "{path}": it is a binary file of {size} byte, probably {kind}; only text, images, PDF and notebooks can be read':
    '无法读取 "{path}"：它是 {size} 字节的二进制文件，可能是 {kind}；只能读取文本、图像、PDF 和笔记本',
  'Cannot read "{path}": it is a binary file of {size} bytes; only text, images, PDF and notebooks can be read':
    '无法读取 "{path}"：它是 {size} 字节的二进制文件；只能读取文本、图像、PDF 和笔记本',
  'Cannot read "{path}": it is a binary file of {size} bytes, probably {kind}; only text, images, PDF and notebooks can be read':
    '无法读取 "{path}"：它是 {size} 字节的二进制文件，可能是 {kind}；只能读取文本、图像、PDF 和笔记本',
  'Cannot read "{path}" from line {offset} on: the file has 1 line':
    '无法读取 "{path}" 从第 {offset} 行起的内容：该文件有 1 行',
  'Cannot read "{path}" from line {offset} on: the file has {totalLines} lines':
    '无法读取 "{path}" 从第 {offset} 行起的内容：该文件有 {totalLines} 行',
  "The file is empty": "该文件是空的",
  "Begin earlier with {key}, which counts from 0": "用 {key} 从更早处开始，它从 0 计数",
  'Cannot read "{path}": it has {size} bytes, and files of its kind are read up to {maxBytes}; make it smaller first':
    '无法读取 "{path}"：它有 {size} 字节，而此类文件最多读取 {maxBytes}；先将其缩小',
  'Cannot patch "{path}": the file is binary': '无法修补 "{path}"：该文件是二进制文件',
  "A unified diff describes lines of text": "统一 diff 描述的是文本行",
  'Cannot patch "{path}": it would have {length} bytes, {maxTextBytes} are allowed':
    '无法修补 "{path}"：修补后会有 {length} 字节，上限为 {maxTextBytes}',
  'Cannot patch "{path}": hunk {number} ({header}) does not fit at line {line}, expected {expected}, found {found}; nothing was changed':
    '无法修补 "{path}"：补丁块 {number}（{header}）在第 {line} 行处不匹配，应为 {expected}，实际为 {found}；未更改任何内容',
  "{movedHint}Read the file again and make the diff from its present lines":
    "{movedHint}重新读取文件，并根据其当前内容制作 diff",
  "The lines of the hunk are now at line {places}. ": "该补丁块的行现在位于第 {places} 行。 ",
  "Cannot use the diff: {reason}": "无法使用该 diff：{reason}",
  "it has no hunk; a hunk begins with @@ -1,3 +1,4 @@": "它没有补丁块；补丁块以 @@ -1,3 +1,4 @@ 开头",
  'hunk {number} has no valid header, "{header}"; it must look like @@ -1,3 +1,4 @@':
    '补丁块 {number} 没有有效的头部 "{header}"；它必须形如 @@ -1,3 +1,4 @@',
  "hunk {number} ({header}) has {old} old and {now} new lines, its header says {oldCount} and {newCount}; correct the header or the lines":
    "补丁块 {number}（{header}）有 {old} 个旧行和 {now} 个新行，而其头部写的是 {oldCount} 和 {newCount}；更正头部或行",
  "hunk {number} ({header}) begins before the end of hunk {number2}; put the hunks in order":
    "补丁块 {number}（{header}）的起点在补丁块 {number2} 的末尾之前；按顺序排列补丁块",
  "hunk {number} ({header}) begins at line 0; lines are counted from 1":
    "补丁块 {number}（{header}）从第 0 行开始；行从 1 计数",
  "hunk {number} ({header}) must begin at +{expected} after the hunks before it":
    "补丁块 {number}（{header}）在前面的补丁块之后必须从 +{expected} 开始",
  "it changes more than one file; send one call a file": "它更改了多个文件；为每个文件各发一次调用",
  'the line "{stray}" after hunk {length} belongs to no hunk; remove it':
    '补丁块 {length} 之后的行 "{stray}" 不属于任何补丁块；将其删除',
  "Cannot use the diff: line {diffLine}: {reason}": "无法使用该 diff：第 {diffLine} 行：{reason}",
  "Send a unified diff of one file, as git diff prints it": "发送一个文件的统一 diff，如 git diff 所打印",
  'Cannot create "{path}": it exists already': '无法创建 "{path}"：它已存在',
  "a link; what it leads to stays": "链接；它指向的内容保留",
  "what it holds is not shown: a rule denies reading it": "不显示其内容：有规则拒绝读取它",
  "too large to compare": "过大，无法比较",
  "only the encoding changes, from {encoding} to {encoding2}": "只更改编码，从 {encoding} 到 {encoding2}",
  "nothing changes": "没有变化",
  "Cannot replace the text: it holds bytes that are no characters": "无法替换该文本：它含有不是字符的字节",
  "Leave the characters shown as U+FFFD out of the text to replace": "在要替换的文本中去掉显示为 U+FFFD 的字符",
  "Cannot replace the text: it begins or ends inside a character": "无法替换该文本：它的开头或结尾位于字符内部",
  "Send whole characters": "发送完整的字符",
  "Cannot encode the text as {encoding}: its characters do not survive together":
    "无法将该文本编码为 {encoding}：其字符组合后无法保持原样",
  "Cannot encode U+{code}, half of a pair, as {encoding}: the encoding has no such character":
    "无法将半个代理对 U+{code} 编码为 {encoding}：该编码没有这个字符",
  'Cannot encode "{character}" (U+{code}) as {encoding}: the encoding has no such character':
    '无法将 "{character}"（U+{code}）编码为 {encoding}：该编码没有这个字符',
  "Use other characters": "使用其他字符",
  "Convert the file to UTF-8 by writing it anew with {tool}": "用 {tool} 重新写入，将文件转换为 UTF-8",
  "Cannot open the file as text: its bytes are binary": "无法将该文件作为文本打开：其字节是二进制内容",
  'Cannot {mode} a cell of "{path}": the notebook has none': '无法对 "{path}" 的单元格执行 {mode}：该笔记本没有单元格',
  "Add one with edit_mode insert": "用 edit_mode insert 添加一个",
  'Cannot find cell "{id}" in "{path}": {length} cells have this id':
    '无法找到单元格 "{id}"（位于 "{path}"）：有 {length} 个单元格使用此 id',
  'Cannot find cell "{id}" in "{path}": no cell has this id; did you mean {near}?':
    '无法找到单元格 "{id}"（位于 "{path}"）：没有单元格使用此 id；是不是想用 {near}？',
  'Cannot find cell "{id}" in "{path}": no cell has this id':
    '无法找到单元格 "{id}"（位于 "{path}"）：没有单元格使用此 id',
  "See the ids of the cells with {tool}": "用 {tool} 查看单元格的 id",
  'Cannot edit "{path}" as a notebook: its name does not end in .ipynb':
    '无法将 "{path}" 作为笔记本编辑：其名称不以 .ipynb 结尾',
  "Use {tool} for other files": "其他文件使用 {tool}",
  'Cannot edit the notebook "{path}": {reason}': '无法编辑笔记本 "{path}"：{reason}',
  "it has format {version}, only format 4 can be edited": "其格式为 {version}，只能编辑格式 4",
  "it is no valid notebook: {firstIssue}": "它不是有效的笔记本：{firstIssue}",
  '"{place}" is not as the format of notebooks has it': '"{place}" 不符合笔记本格式',
  "it is not as the format of notebooks has it": "它不符合笔记本格式",
  "it is no valid JSON: {reason}": "它不是有效的 JSON：{reason}",
  "Convert it to notebook format 4 with jupyter nbconvert": "用 jupyter nbconvert 将其转换为笔记本格式 4",
  "Mend the file with edit first": "先用 edit 修复该文件",
  'Cannot use the date "{value}": it is no ISO 8601 date; write for instance 2024-05-31 or 2024-05-31T12:00:00Z':
    '无法使用日期 "{value}"：它不是 ISO 8601 日期；写例如 2024-05-31 或 2024-05-31T12:00:00Z',
  'Cannot look for the type "{type}": name an extension such as "ts"': '无法查找类型 "{type}"：指定扩展名，例如 "ts"',
  "Cannot search for {quoted}: it contains a line break, and the search goes line by line":
    "无法搜索 {quoted}：它含有换行，而搜索是逐行进行的",
  "{hint}. To find a backslash and an n as they are, write \\\\n": "{hint}。要查找反斜杠加 n 本身，写 \\\\n",
}
