import { catalogue } from "../words/words.js"

/** The words of theme and language. */
export const lookWords = catalogue({
  en: {
    menu: "Theme and language",
    theme: "Theme",
    language: "Language",
    themes: { light: "Light", dark: "Dark", auto: "As the system" },
  },
  "zh-CN": {
    menu: "主题和语言",
    theme: "主题",
    language: "语言",
    themes: { light: "浅色", dark: "深色", auto: "跟随系统" },
  },
})
