/** Words for people, in both languages. */
export const messages = {
  en: { title: "Word count", loading: "Counting words", done: "Words counted" },
  "zh-CN": { title: "字数统计", loading: "正在统计字数", done: "字数已统计" },
}
