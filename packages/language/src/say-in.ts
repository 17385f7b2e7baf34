import type { Locale } from "@haft/contract"
import { type Say, sayEnglish } from "./say.js"

/** Speaks a language. Words are loaded only for languages that need them. */
export async function sayIn(language: Locale): Promise<Say> {
  if (language === "en") return sayEnglish
  const { sayChinese } = await import("./zh-cn/index.js")
  return sayChinese()
}
