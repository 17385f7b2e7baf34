import { catalogue } from "../words/words.js"

/** What the letters of an ask mean. */
export const answerWords = catalogue({
  en: {
    group: "Waits for your answer; letters answer",
    once: "allow once",
    "accept-edits": "accept edits",
    session: "for this session",
    project: "always here",
    edit: "with changed arguments",
    reject: "reject",
  },
  "zh-CN": {
    group: "等待你的回答；可用字母键回答",
    once: "允许一次",
    "accept-edits": "接受编辑",
    session: "本次会话",
    project: "此处始终允许",
    edit: "修改参数后允许",
    reject: "拒绝",
  },
})
