import { catalogue } from "../words/words.js"

/** What is said about the work of a subagent. */
export const subagentWords = catalogue({
  en: {
    calls: "Calls of the subagent",
    earlier: (count: number) => (count === 1 ? "1 earlier call" : `${count} earlier calls`),
    open: "Open the subagent's session",
  },
  "zh-CN": {
    calls: "子智能体的调用",
    earlier: (count: number) => `更早的 ${count} 个调用`,
    open: "打开子智能体的会话",
  },
})
