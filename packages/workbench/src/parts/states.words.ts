import { catalogue } from "../words/words.js"

/** The words of the states that every screen has. */
export const stateWords = catalogue({
  en: {
    loading: "Loading",
    failed: "This did not work",
    retry: "Try again",
    offline: "The server does not answer",
    denied: "Not allowed",
    copied: "Copied",
    copy: "Copy",
    close: "Close",
    unknownSession: (id: string) => `There is no session "${id}"`,
    unknownSessionWhy: "It may have been removed, or it is in the journal of another server.",
    allSessions: "All sessions",
  },
  "zh-CN": {
    loading: "正在加载",
    failed: "操作失败",
    retry: "重试",
    offline: "服务器没有响应",
    denied: "不允许",
    copied: "已复制",
    copy: "复制",
    close: "关闭",
    unknownSession: (id: string) => `没有会话“${id}”`,
    unknownSessionWhy: "它可能已被移除，或在另一台服务器的记录中。",
    allSessions: "全部会话",
  },
})
