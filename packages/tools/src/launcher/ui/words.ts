import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  {
    reveal: "Show the text",
    hide: "Hide the text",
    masked: "{n} character, hidden until you ask|{n} characters, hidden until you ask",
    session: "a buffer of this session only",
    system: "the clipboard of the system",
    where: "Where",
    looksSecret: "This looks like a secret",
    willWrite: "What will be in the clipboard",
  },
  {
    reveal: "显示文本",
    hide: "隐藏文本",
    masked: "{n} 个字符，按需显示",
    session: "仅本会话的缓冲区",
    system: "系统剪贴板",
    where: "位置",
    looksSecret: "这看起来像机密",
    willWrite: "将写入剪贴板的内容",
  },
)
