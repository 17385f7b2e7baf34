import { catalogue } from "../words/words.js"

/** Where a call is. */
export const phaseWords = catalogue({
  en: {
    "args-streaming": "being written",
    pending: "waiting",
    "awaiting-approval": "waits for an answer",
    running: "running",
    ok: "done",
    error: "failed",
    denied: "denied",
    aborted: "stopped",
  },
  "zh-CN": {
    "args-streaming": "正在生成",
    pending: "等待中",
    "awaiting-approval": "等待回答",
    running: "运行中",
    ok: "完成",
    error: "失败",
    denied: "已拒绝",
    aborted: "已停止",
  },
})
