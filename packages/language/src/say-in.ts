import { type Say, sayEnglish } from "./say.js"

/** A language that Haft speaks. */
export type Language = "en" | "zh-CN"

/** Speaks a language. Words are loaded only for languages that need them. */
export async function sayIn(language: Language): Promise<Say> {
  if (language === "en") return sayEnglish
  const { sayChinese } = await import("./zh-cn/index.js")
  return sayChinese()
}
