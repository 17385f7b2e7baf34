import type { Catalogue } from "../catalogue.js"

/** Written by hand beside the English texts, which `npm run words` keeps up with the sources. */
export const models: Catalogue = {
  "Cannot send this message: it must be a string or {{ text, files }}":
    "无法发送此消息：必须是字符串或 {{ text, files }}",
  'A file is {{ name: "a.png", mediaType: "image/png", data }} with its content as base64':
    '文件形如 {{ name: "a.png", mediaType: "image/png", data }}，内容为 base64',
  "Cannot send an empty message": "无法发送空消息",
  "Say what should be done": "说明要做什么",
  'Step "{key}" did not end within {timeoutMs} ms': '步骤 "{key}" 没有在 {timeoutMs} 毫秒内结束',
  "Cannot run a child turn in its parent's session: name another session": "无法在父会话中运行子轮次：指定其他会话",
  'Cannot go on with turn "{turnId}": {reason}; the turn is ended and nothing was run again; start a new turn':
    '无法继续轮次 "{turnId}"：{reason}；该轮次已结束，没有重新运行任何内容；开始新的轮次',
  'its code uses the key of step "{key}" twice': '其代码两次使用了步骤 "{key}" 的键',
  'its code opens the wait "{name}" twice': '其代码两次打开了等待 "{name}"',
  'its code asks for {kind} "{name}" where the record has {expected}':
    '其代码请求 {kind} "{name}"，而记录中是 {expected}',
  "the record has {left} and its code does not ask for it": "记录中有 {left}，而其代码没有请求它",
  'Cannot give the result of turn "{turnId}": session "{id}" has no such turn; start it first':
    '无法给出轮次 "{turnId}" 的结果：会话 "{id}" 没有这个轮次；先开始它',
  'Cannot rewind session "{id}": turn "{turnId}" has not ended': '无法回退会话 "{id}"：轮次 "{turnId}" 尚未结束',
  "Wait for its end, or abort it": "等待其结束，或将其中止",
  'Cannot rewind session "{id}" to turn "{turnId}": an earlier rewind has hidden it':
    '无法将会话 "{id}" 回退到轮次 "{turnId}"：先前的回退已将其隐藏',
  'Cannot rewind session "{id}" to turn "{turnId}": the session has no such turn':
    '无法将会话 "{id}" 回退到轮次 "{turnId}"：会话没有这个轮次',
  "See its turns with: haft session show {id}": "查看其轮次：haft session show {id}",
  "the session was rewound": "会话已回退",
  'Cannot start turn "{turnId}": a turn with this id and another input is open; use a new id':
    '无法开始轮次 "{turnId}"：已有同 id 但输入不同的轮次未结束；使用新的 id',
  "The engine is closed; the turn can go on when its session is resumed": "引擎已关闭；恢复会话后该轮次可以继续",
  "The turn was aborted: {reason}": "轮次已中止：{reason}",
  'Cannot tell how step "{key}" ended: its process stopped before the result was recorded':
    '无法得知步骤 "{key}" 如何结束：其进程在记录结果之前已停止',
  "{who} answered with a web page (status {status}) instead of a reply": "{who} 返回了网页（状态 {status}）而不是回复",
  "{who} answered with a web page instead of a reply": "{who} 返回了网页而不是回复",
  "The reply was stopped": "回复已停止",
  'The script "{modelId}" has no more replies after line {last}': '脚本 "{modelId}" 在第 {last} 行之后没有更多回复',
  'The script "{modelId}" has no more replies after line {last}; line {number} is reserved for the agent "{agent}"':
    '脚本 "{modelId}" 在第 {last} 行之后没有更多回复；第 {number} 行留给智能体 "{agent}"',
  'The script "{modelId}" has no more replies for the agent "{agent}" after line {last}':
    '脚本 "{modelId}" 没有更多给智能体 "{agent}" 的回复（第 {last} 行之后）',
  'The script "{modelId}" has no more replies for the agent "{agent}" after line {last}; line {number} is reserved for the agent "{agent2}"':
    '脚本 "{modelId}" 没有更多给智能体 "{agent}" 的回复（第 {last} 行之后）；第 {number} 行留给智能体 "{agent2}"',
  "The reply of {who} broke off before its end": "{who} 的回复在结束前中断",
  "{who} sent nothing for {round} seconds": "{who} 在 {round} 秒内没有发送任何内容",
  "The reply of {who} did not end: it has {what}": "{who} 的回复没有结束：已有{what}",
  "more than {maxChars} characters": "超过 {maxChars} 个字符",
  "more than {maxParts} pieces": "超过 {maxParts} 个片段",
  "answered with a web page instead of a reply": "返回了网页而不是回复",
  "gave an empty stream": "返回了空的流",
  "Check the provider's key in its environment variable, and whether it may use this model":
    "检查环境变量中提供方的密钥，以及它是否可以使用此模型",
  "Check the name of the model and the base URL, or choose another model with --model":
    "检查模型名称和 base URL，或用 --model 选择其他模型",
  "Wait a while, or choose another model with --model": "稍候，或用 --model 选择其他模型",
  "Try again later, or choose another model with --model": "稍后重试，或用 --model 选择其他模型",
  "Check the network and the base URL, then try again": "检查网络和 base URL，然后重试",
  "Check the base URL and whether it speaks the provider's protocol": "检查 base URL，以及它是否支持该提供方的协议",
  "Start a new session, or choose a model with a larger context": "开始新的会话，或选择上下文更大的模型",
  "Send the message again to go on": "重新发送消息以继续",
  "The provider refused the request; see its message": "提供方拒绝了请求；查看其消息",
  "no message": "没有消息",
  'Cannot use "openai-compatible:{name}": it has no address': '无法使用 "openai-compatible:{name}"：没有地址',
  'Give the address with --base-url or "baseUrl" in the configuration, for instance http://127.0.0.1:8000/v1':
    '用 --base-url 或配置中的 "baseUrl" 给出地址，例如 http://127.0.0.1:8000/v1',
  "Cannot use the key in {variable}: it has blanks, line breaks or other characters that no key has":
    "无法使用 {variable} 中的密钥：它含有空白、换行或密钥不会有的其他字符",
  "Set {variable} to the key alone, without quotes": "将 {variable} 设为密钥本身，不带引号",
  'Cannot use "{model}": the environment variable {variable} is not set':
    '无法使用 "{model}"：未设置环境变量 {variable}',
  "Set {variable} to your key, or choose another model with --model":
    "将 {variable} 设为你的密钥，或用 --model 选择其他模型",
  "Set {variable} (or {others}) to your key, or choose another model with --model":
    "将 {variable}（或 {others}）设为你的密钥，或用 --model 选择其他模型",
  'Cannot reach a model at "{address}": only http and https addresses are allowed':
    '无法访问位于 "{address}" 的模型：只允许 http 和 https 地址',
  "Give a base URL like https://host/v1": "给出形如 https://host/v1 的 base URL",
  'Cannot reach a model at "{host}": the address holds credentials': '无法访问位于 "{host}" 的模型：地址中含有凭据',
  "Put the key into the provider's environment variable": "将密钥放入提供方的环境变量",
  'Cannot use the model "{reference}": {reason}': '无法使用模型 "{reference}"：{reason}',
  "it names no provider": "没有写明提供方",
  "there is no such provider": "没有这个提供方",
  "the name of the model is empty or has blanks": "模型名称为空或含有空格",
  "Write PROVIDER:NAME with one of {modelProviders}, or script:FILE":
    "写作 PROVIDER:NAME，提供方为 {modelProviders} 之一，或 script:FILE",
  'Write the provider\'s name of the model after "{provider}:"': '在 "{provider}:" 之后写出提供方的模型名称',
  'Cannot read the script "{file}": it is not UTF-8 text': '无法读取脚本 "{file}"：它不是 UTF-8 文本',
  'Write one JSON object a line, like {{"text":"Done."}} or {{"calls":[{{"name":"read","args":{{"file_path":"a"}}}}]}}':
    '每行写一个 JSON 对象，例如 {{"text":"Done."}} 或 {{"calls":[{{"name":"read","args":{{"file_path":"a"}}}}]}}',
  "Cannot use the script at {place}: {reason}": "无法使用脚本的 {place} 处：{reason}",
  "it is no JSON": "它不是 JSON",
  "the line must be {expected}": "该行必须是 {expected}",
  '"{path}" must be {expected}': '"{path}" 必须是 {expected}',
  'Cannot record into "{file}": {code}': '无法录制到 "{file}"：{code}',
  "it cannot be opened": "无法打开",
  "Give --record the path of a new file in a folder that exists": "为 --record 指定已有文件夹中的新文件路径",
  'Cannot record into "{file}": it already has content': '无法录制到 "{file}"：它已有内容',
  "Remove it or give --record another file": "删除它，或为 --record 指定其他文件",
  "{message} (gave up after {tries} tries)": "{message}（尝试 {tries} 次后放弃）",
  "{message} (it asks to wait {ceil} seconds)": "{message}（要求等待 {ceil} 秒）",
  'Cannot read the script "{file}": {reason}': '无法读取脚本 "{file}"：{reason}',
  "the file does not exist": "文件不存在",
  "it is a directory": "它是目录",
  "Give script:FILE the path of a file with one JSON object a line": "为 script:FILE 指定每行一个 JSON 对象的文件路径",
  'Cannot read the script "{file}": it is a pipe': '无法读取脚本 "{file}"：它是管道',
  'Cannot read the script "{file}": it has more than {maxScriptBytes} bytes':
    '无法读取脚本 "{file}"：它超过 {maxScriptBytes} 字节',
  'Cannot ask "script:{modelId}" without a stream': '无法不经流式方式请求 "script:{modelId}"',
  "Add the next reply as line {last} of the script": "将下一条回复添加为脚本的第 {last} 行",
  "Cannot record {what}: {value} is {reason}; give plain JSON": "无法记录{what}：{value} 是{reason}；提供纯 JSON",
  'the input of turn "{turnId}"': '轮次 "{turnId}" 的输入',
  'the answer to "{name}"': '对 "{name}" 的答复',
  'the result of turn "{turnId}"': '轮次 "{turnId}" 的结果',
  'the result of step "{key}"': '步骤 "{key}" 的结果',
  "of type {value}": "{value} 类型",
  "a cycle": "循环引用",
  "an instance of {name}": "{name} 的实例",
  "a class": "类",
  "The conversation is too long for the model, and its summary failed: {failed}":
    "对话对于模型太长，并且摘要失败：{failed}",
  "Send a message to try again, or start a new session": "发送消息再试一次，或开始新的会话",
  "The model refused the conversation as too long, and nothing of it can be left out":
    "模型因对话过长而拒绝，且没有可省略的内容",
  "Choose a model with a larger context, or start a new session": "选择上下文更大的模型，或开始新的会话",
  "The conversation needs about {estimate} tokens and the model reads {contextTokens}":
    "对话约需 {estimate} 个 token，而模型只能读取 {contextTokens} 个",
  "Cannot ask a person: the call belongs to no turn": "无法询问用户：该调用不属于任何轮次",
  "the question could not be put to a person ({why})": "无法向用户提出该问题（{why}）",
  "Cannot go on with the question: nobody answered it before the turn ended": "无法继续该提问：轮次结束前无人作答",
  "The model is asked again in {round} seconds: {message}": "将在 {round} 秒后再次请求模型：{message}",
  "{modelId} takes no tools: it answers without them": "{modelId} 不支持工具：它将不用工具作答",
  "The model is asked again without images and earlier files: {message}": "不带图片和先前的文件再次请求模型：{message}",
  "The model made the same calls with the same results again and again": "模型反复进行相同的调用并得到相同的结果",
  "Say what should be different, or choose another model": "说明应有何不同，或选择其他模型",
  "The turn reached its limit of 1 step": "轮次达到了 1 步的上限",
  "The turn reached its limit of {maxSteps} steps": "轮次达到了 {maxSteps} 步的上限",
  "The turn reached its limit of ${maxCost}": "轮次达到了 ${maxCost} 的上限",
  "The turn reached its limit of {ms} seconds": "轮次达到了 {ms} 秒的上限",
  "The reply was cut at the model's limit of output": "回复在模型的输出上限处被截断",
  "Send a message to let it go on": "发送消息让它继续",
  "The provider withheld the reply": "提供方扣留了回复",
  "Say it in another way": "换一种说法",
  'The model ended its reply with "{finishWord}"': '模型以 "{finishWord}" 结束了回复',
  "Send a message to let it try again, or choose another model": "发送消息让它再试一次，或选择其他模型",
  "Raise {flag}, or send a message to let it go on": "提高 {flag}，或发送消息让它继续",
  "Cannot use the answer: the question is not open any more\nCall the tool again":
    "无法使用该答复：问题已不再等待\n再次调用该工具",
  'Cannot call "{name}": 2000 calls are under way; wait for some of them':
    '无法调用 "{name}"：已有 2000 个调用正在进行；等待其中一些完成',
  "the caller aborted the turn": "调用方中止了轮次",
  "{changes}; it is trusted no more": "{changes}；它不再受信任",
  "it was reached by {kind} and is now reached by {kind2}": "原先经 {kind} 访问，现在经 {kind2} 访问",
  "its {what} was {quoted} and is now {quoted2}": "其{what}原为 {quoted}，现为 {quoted2}",
  "command line": "命令行",
  program: "程序",
  "names of variables": "变量名",
  "readable paths": "可读路径",
  "names of headers": "标头名",
  "nobody has looked at the values of its headers and oauth": "没有人看过其标头与 oauth 的值",
  "nobody has looked at the values of its variables": "没有人看过其变量的值",
  "the values of its headers and oauth changed": "其标头或 oauth 的值已改变",
  "the values of its variables changed": "其变量的值已改变",
  'Cannot use the MCP server "{name}": {reason}': '无法使用 MCP 服务器 "{name}"：{reason}',
  "its name must be made of letters, digits, _ and -, at most 40, a letter or digit first":
    "其名称只能由字母、数字、_ 和 - 组成，最多 40 个字符，以字母或数字开头",
  "the transport sse is not supported; use its streamable HTTP address with type http":
    "不支持 sse 传输；用 type http 和它的 streamable HTTP 地址",
  "its type {type} is not known; use stdio or http": "无法识别其类型 {type}；使用 stdio 或 http",
  'it has both a "command" and a "url"; keep one': '同时含有 "command" 和 "url"；只保留一个',
  'it needs a "command" or a "url"': '需要 "command" 或 "url"',
  '"{key}" must be a string that is not empty': '"{key}" 必须是非空字符串',
  '"{key}" must be a list of strings': '"{key}" 必须是字符串列表',
  '"{key}" must be an object of strings': '"{key}" 必须是值为字符串的对象',
  '"{key}" must be a whole number of milliseconds above 0': '"{key}" 必须是大于 0 的整数毫秒',
  '"workspace" must be none, read or write': '"workspace" 必须是 none、read 或 write',
  '"oauth" must be an object with clientId, clientSecret and scope':
    '"oauth" 必须是含有 clientId、clientSecret 和 scope 的对象',
  '"{unknown}" is not known': '无法识别 "{unknown}"',
  '"{unknown}" is not known; did you mean "{near}"?': '无法识别 "{unknown}"；是不是想用 "{near}"？',
  '"url" must be an address that begins with http:// or https://, not "{url}"':
    '"url" 必须是以 http:// 或 https:// 开头的地址，而不是 "{url}"',
  '"readable" must hold absolute paths, not "{relative}"': '"readable" 必须是绝对路径，而不是 "{relative}"',
  "Correct its entry, then run: haft mcp list": "更正其条目，然后运行：haft mcp list",
  'Cannot start the MCP server "{name}": the variable {variable} is not set':
    '无法启动 MCP 服务器 "{name}"：未设置变量 {variable}',
  "Go on without this server": "不用此服务器继续",
  "Set {variable}, or write ${{{variable2}:-default}} in the entry of the server":
    "设置 {variable}，或在服务器条目中写 ${{{variable2}:-default}}",
  'Cannot call "{tool}" of the MCP server "{name}": the server has it no more':
    '无法调用 "{tool}"（MCP 服务器 "{name}"）：服务器已不再提供它',
  "Use another tool": "使用其他工具",
  "Cannot use an MCP server: the session is closing": "无法使用 MCP 服务器：会话正在关闭",
  'Cannot use the MCP server "{name}": it was ended': '无法使用 MCP 服务器 "{name}"：它已被终止',
  'Cannot use the MCP server "{name}": it offers nothing': '无法使用 MCP 服务器 "{name}"：它没有提供任何内容',
  'Cannot use the MCP server "{name}": it offers nothing: {problem}':
    '无法使用 MCP 服务器 "{name}"：它没有提供任何内容：{problem}',
  "Repair the server, then run: haft mcp test {name}": "修复该服务器，然后运行：haft mcp test {name}",
  'the tool "{name}" is left out: its schema cannot be used: {flaw}': '已略去工具 "{name}"：其 schema 无法使用：{flaw}',
  'Cannot use the MCP server "{name}": it is not connected, because {words}; it is tried again by itself':
    '无法使用 MCP 服务器 "{name}"：尚未连接，因为{words}；会自动重试',
  "Go on without it, or try again later": "不用它继续，或稍后重试",
  "See why with: haft mcp test {name}": "查看原因：haft mcp test {name}",
  'Cannot go on with the MCP server "{name}": it neither answered nor reported progress for {callTimeoutMs} ms':
    '无法继续使用 MCP 服务器 "{name}"：它在 {callTimeoutMs} 毫秒内既未答复也未报告进度',
  "Ask it for less, or go on without it": "减少请求的内容，或不用它继续",
  'Give it more time with "callTimeoutMs" in its entry': '在其条目中用 "callTimeoutMs" 给它更多时间',
  'Cannot use the MCP server "{name}": it is trusted no more, because {words}':
    '无法使用 MCP 服务器 "{name}"：它不再受信任，因为{words}',
  "{changed} since it was trusted": "自信任之后，{changed}",
  'Cannot use {what} of the MCP server "{name}": it is trusted no more, because {words}':
    '无法使用 {what}（MCP 服务器 "{name}"）：它不再受信任，因为{words}',
  it: "它",
  "Go on without it, and tell the user that it changed": "不用它继续，并告知用户它已改变",
  "Look at it, and trust it again with: haft mcp trust {name}": "检查后重新信任：haft mcp trust {name}",
  'Cannot call "{name}" of the MCP server "{name2}": {problem}': '无法调用 "{name}"（MCP 服务器 "{name2}"）：{problem}',
  "Send arguments that fit the schema of the tool": "发送符合该工具模式的参数",
  'Cannot find the MCP server "{server}"': '找不到 MCP 服务器 "{server}"',
  'The tool "{tool}" of the MCP server "{server}" failed: {shortened}':
    '工具 "{tool}"（MCP 服务器 "{server}"）失败：{shortened}',
  "[{mediaType}, {bytes} bytes, left out: too large]": "[{mediaType}，{bytes} 字节，过大，已略去]",
  "[{mediaType}, {bytes} bytes, attached]": "[{mediaType}，{bytes} 字节，已附上]",
  "[Content of a kind that is not known: {type}]": "[无法识别的内容类型：{type}]",
  "it does not say why": "没有说明原因",
  'the tool "{name}" is left out: {message}': '已略去工具 "{name}"：{message}',
  "only the first 500 of {length} tools are taken": "只取 {length} 个工具中的前 500 个",
  "Cannot reach the end of a list of eras": "无法到达协议版本列表的末尾",
  'Cannot use the MCP server "{name}": it did not answer within {startTimeoutMs} ms of its start; the last that it wrote to standard error: "{words}"':
    '无法使用 MCP 服务器 "{name}"：启动后 {startTimeoutMs} 毫秒内没有答复；其标准错误的最后内容："{words}"',
  'Cannot use the MCP server "{name}": it did not answer within {startTimeoutMs} ms of its start':
    '无法使用 MCP 服务器 "{name}"：启动后 {startTimeoutMs} 毫秒内没有答复',
  'Look at it with: haft mcp test {name}; give a slow one more time with "startTimeoutMs" in its entry':
    '查看：haft mcp test {name}；若启动缓慢，在其条目中用 "startTimeoutMs" 给它更多时间',
  "it answers with an error: {short}": "它返回了错误：{short}",
  "Go on without this call": "不做此调用继续",
  "it refuses access (HTTP 403)": "它拒绝访问（HTTP 403）",
  "it did not answer in time": "它没有按时答复",
  "the connection was closed": "连接已关闭",
  "it answers with HTTP {status}": "它以 HTTP {status} 应答",
  "it answers with HTTP {status}: {short}": "它以 HTTP {status} 应答：{short}",
  "Check what the account may do there": "检查该账户在那里的权限",
  "See whether it works: haft mcp test": "查看它是否可用：haft mcp test",
  "See why: haft mcp test": "查看原因：haft mcp test",
  "Check its address: haft mcp list": "检查其地址：haft mcp list",
  'Cannot use the MCP server "{name}": it sent more than {maxBytes} bytes in one answer':
    '无法使用 MCP 服务器 "{name}"：它在一次答复中发送了超过 {maxBytes} 字节',
  "Cannot send a body to an MCP server: it is no text": "无法向 MCP 服务器发送正文：它不是文本",
  "it closed the connection without an answer": "它未应答就关闭了连接",
  'Cannot use the MCP server "{name}": it closed the connection without an answer':
    '无法使用 MCP 服务器 "{name}"：它未应答就关闭了连接',
  'Cannot use the MCP server "{name}": it wants somebody to sign in': '无法使用 MCP 服务器 "{name}"：它要求登录',
  "Go on without this server, and tell the user that a sign-in is needed": "不用此服务器继续，并告知用户需要登录",
  "Sign in with: haft mcp trust {name}": "登录：haft mcp trust {name}",
  'Cannot use the MCP server "{name}": it sent a message of more than {maxMessageBytes} bytes':
    '无法使用 MCP 服务器 "{name}"：它发送了超过 {maxMessageBytes} 字节的消息',
  'Cannot use the MCP server "{name}": it {reason}': '无法使用 MCP 服务器 "{name}"：它{reason}',
  "floods: it sent more than 2000 messages a second": "发送消息过多：每秒超过 2000 条",
  "printed {shown} to its standard output, which is for messages of the protocol alone":
    "向标准输出打印了 {shown}，而标准输出只用于协议消息",
  "Repair the server: what it prints for people belongs to its standard error; then run: haft mcp test {name}":
    "修复该服务器：给人看的内容应写到标准错误；然后运行：haft mcp test {name}",
  "Cannot start an MCP server: the call has no port for servers": "无法启动 MCP 服务器：该调用没有服务器接口",
  'It does not see {file}: name that path and "readable": [{dirname}] in its entry, then run: haft mcp trust {name}':
    '它看不到 {file}：在其条目中写明该路径和 "readable": [{dirname}]，然后运行：haft mcp trust {name}',
  "Try again in some seconds, or go on without it": "过几秒再试，或不用它继续",
  "Cannot reach an MCP server: the call has no network": "无法访问 MCP 服务器：该调用没有网络",
  'Cannot use the MCP server "{name}": it has ended the session': '无法使用 MCP 服务器 "{name}"：它已结束会话',
  "Cannot go on with the question: the person did not want to answer": "无法继续该提问：用户不愿作答",
  "Continue with your best assumption and say which one you made": "按最合理的假设继续，并说明所作的假设",
  "Nobody answered in time": "无人按时作答",
  "Cannot listen on port {port}: {reason}": "无法监听端口 {port}：{reason}",
  "another program listens there": "已有其他程序在监听",
  "Choose another port; 0 takes one that is free": "选择其他端口；0 表示任意空闲端口",
  "Cannot go on with the call: the client is gone": "无法继续该调用：客户端已离开",
  "Unknown tool: {name}": "未知工具：{name}",
}
