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
  },
})
