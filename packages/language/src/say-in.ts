import { type Say, sayEnglish } from "./say.js"

/** Languages that Haft speaks. */
export const languages = ["en", "zh-CN"] as const
export type Language = (typeof languages)[number]

/** Speaks a language. Words are loaded only for languages that need them. */
export async function sayIn(language: Language): Promise<Say> {
  if (language === "en") return sayEnglish
  const { sayChinese } = await import("./zh-cn/index.js")
  return sayChinese()
}
