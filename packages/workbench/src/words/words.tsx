import type { Locale } from "@haft/contract"
import { LocaleContext } from "@haft/faces"
import { useContext } from "react"

/** The words of one part of the page in every language; a missing one does not compile. */
export type Catalogue<Words extends object> = Readonly<Record<Locale, Words>>

/** Words as they are written: the Chinese ones must have exactly the names and arguments of the English ones. */
export function catalogue<const Words extends object>(words: {
  readonly en: Words
  readonly "zh-CN": NoInfer<Widened<Words>>
}): Catalogue<Widened<Words>> {
  return words as unknown as Catalogue<Widened<Words>>
}

type Widened<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (...parts: infer Parts) => string
      ? (...parts: Parts) => string
      : Widened<Words[Key]>
}

/** The language that the person reads; it is that of the faces too. */
export function useLanguage(): Locale {
  return useContext(LocaleContext)
}

/** These words in the language that the person reads. */
export function useWords<Words extends object>(words: Catalogue<Words>): Words {
  return words[useLanguage()]
}
