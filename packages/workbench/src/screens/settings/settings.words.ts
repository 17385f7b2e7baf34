import { catalogue } from "../../words/words.js"

/** The words of the settings. */
export const settingsWords = catalogue({
  en: {
    keys: "Keys",
    ownKeys: "Your own keys, as JSON",
    ownKeysHow: 'For instance {"x": "go sandbox", "g b": ""}: an empty action takes a key away.',
    keysWrong: "This is not a JSON object of strings",
    save: "Save",
    saved: "Saved; it holds at once",
    session: "Session of this browser",
    sessionWhat: "Tools that you run by form share one session, in all tabs. A new one starts with no answers kept.",
    newSession: "Begin a new session",
    newSessionDone: "The next call begins it",
    configuration: "Configuration",
    configurationWhat:
      "Read from files, environment and flags when the server started; each value with the place that won.",
    key: "Key",
    value: "Value",
    source: "From",
  },
  "zh-CN": {
    keys: "按键",
    ownKeys: "自定义按键（JSON）",
    ownKeysHow: '例如 {"x": "go sandbox", "g b": ""}：空动作会移除该按键。',
    keysWrong: "这不是由字符串组成的 JSON 对象",
    save: "保存",
    saved: "已保存，立即生效",
    session: "此浏览器的会话",
    sessionWhat: "用表单运行的工具在所有标签页共用一个会话。新会话不保留任何回答。",
    newSession: "开始新会话",
    newSessionDone: "下一次调用将开始新会话",
    configuration: "配置",
    configurationWhat: "服务器启动时从文件、环境变量和参数读取；每个值都注明生效的来源。",
    key: "键",
    value: "值",
    source: "来源",
  },
})
