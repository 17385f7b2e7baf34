import { catalogue } from "../words/words.js"

/** The words of the palette and of the list of keys. */
export const paletteWords = catalogue({
  en: {
    title: "Go to",
    placeholder: "Tool, session or screen",
    nothing: "Nothing has this name",
    session: "session",
    keys: "Keys",
    actions: {
      palette: "Search everything",
      help: "Show these keys",
      search: "Go to the filter",
      inbox: "Go to what waits for you",
      next: "Next call",
      previous: "Previous call",
      open: "Open the call on the whole page",
      run: "Run, send",
    },
    go: (screen: string) => `Go to ${screen}`,
    inAsk: (answer: string) => `Answer an ask: ${answer}`,
    remap: "Keys can be changed in the settings.",
  },
  "zh-CN": {
    title: "前往",
    placeholder: "工具、会话或页面",
    nothing: "没有此名称的内容",
    session: "会话",
    keys: "按键",
    actions: {
      palette: "搜索全部",
      help: "显示按键",
      search: "转到筛选框",
      inbox: "转到等待你的事项",
      next: "下一个调用",
      previous: "上一个调用",
      open: "整页打开调用",
      run: "运行、发送",
    },
    go: (screen: string) => `前往${screen}`,
    inAsk: (answer: string) => `回答询问：${answer}`,
    remap: "可在设置中更改按键。",
  },
})
