import { catalogue } from "../../words/words.js"

/** The words of conversations. */
export const chatWords = catalogue({
  en: {
    start: "Talk to an agent about this workspace",
    startText: "It works with the tools of this page; what may change something asks you first.",
    noModel: "No model is set up",
    tour: "Start the tour",
    tourText:
      "The tour needs no model: a script drives the real tools in a demo workspace, and you answer what they ask.",
    recent: "Conversations",
    new: "New conversation",
    conversation: "Conversation",
    message: "Message",
    placeholder: "What shall be done?",
    send: "Send",
    stop: "Stop",
    you: "You",
    agent: "Agent",
    thinking: "Thinking",
    compacting: "The conversation is being made shorter",
    compacted: (hasSummary: boolean, leftOut: number) =>
      [
        "The conversation was made shorter for the model",
        hasSummary ? "a summary stands for what is old" : "",
        leftOut > 0 ? `${leftOut} old ${leftOut === 1 ? "result is" : "results are"} left out` : "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    explored: (reads: number, searches: number) =>
      [
        reads > 0 ? `${reads} ${reads === 1 ? "read" : "reads"}` : "",
        searches > 0 ? `${searches} ${searches === 1 ? "search" : "searches"}` : "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    exploredTitle: "Looked around",
    waits: (count: number) => (count === 1 ? "1 waits for your answer" : `${count} wait for your answer`),
    showNewest: "Show the newest",
    ended: {
      done: "Done",
      aborted: "Stopped",
      limit: "A limit ended this turn",
      length: "The reply was cut at the model's limit",
      refused: "The model refused to answer",
      "model-error": "The model failed",
      loop: "The agent repeated itself and was stopped",
      failed: "This turn failed",
    },
    todo: "Todo",
    todoNone: "No list yet",
    children: "Subagents",
    childrenNone: "None",
    childStates: { running: "at work", ended: "ended" },
    files: "Files changed",
    filesNone: "None",
    use: "Use",
    tokens: (input: string, output: string) => `${input} in, ${output} out`,
    openTimeline: "Open the timeline",
    details: "Panels",
    todoStates: { pending: "to do", in_progress: "now", completed: "done", cancelled: "dropped" },
  },
  "zh-CN": {
    start: "与智能体讨论此工作区",
    startText: "它使用本页的工具；可能更改内容的操作会先询问你。",
    noModel: "尚未设置模型",
    tour: "开始导览",
    tourText: "导览不需要模型：脚本在演示工作区中驱动真实工具，由你回答它们的询问。",
    recent: "对话",
    new: "新对话",
    conversation: "对话",
    message: "消息",
    placeholder: "要做什么？",
    send: "发送",
    stop: "停止",
    you: "你",
    agent: "智能体",
    thinking: "思考",
    compacting: "正在缩短对话",
    compacted: (hasSummary: boolean, leftOut: number) =>
      ["已为模型缩短对话", hasSummary ? "以摘要代替旧内容" : "", leftOut > 0 ? `省略 ${leftOut} 个旧结果` : ""]
        .filter((part) => part !== "")
        .join("，"),
    explored: (reads: number, searches: number) =>
      [reads > 0 ? `读取 ${reads} 次` : "", searches > 0 ? `搜索 ${searches} 次` : ""]
        .filter((part) => part !== "")
        .join("，"),
    exploredTitle: "查看了",
    waits: (count: number) => `${count} 项等待你的回答`,
    showNewest: "显示最新",
    ended: {
      done: "完成",
      aborted: "已停止",
      limit: "达到上限，本轮结束",
      length: "回复在模型上限处被截断",
      refused: "模型拒绝回答",
      "model-error": "模型出错",
      loop: "智能体重复操作，已被停止",
      failed: "本轮失败",
    },
    todo: "待办",
    todoNone: "还没有列表",
    children: "子智能体",
    childrenNone: "无",
    childStates: { running: "工作中", ended: "已结束" },
    files: "已更改的文件",
    filesNone: "无",
    use: "用量",
    tokens: (input: string, output: string) => `输入 ${input}，输出 ${output}`,
    openTimeline: "打开时间线",
    details: "面板",
    todoStates: { pending: "待办", in_progress: "进行中", completed: "完成", cancelled: "取消" },
  },
})
