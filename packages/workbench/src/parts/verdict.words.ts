import { catalogue } from "../words/words.js"

/** The three verdicts. */
export const verdictWords = catalogue({
  en: { allow: "allow", deny: "deny", ask: "ask" },
  "zh-CN": { allow: "允许", deny: "拒绝", ask: "询问" },
})
