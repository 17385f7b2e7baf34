import { createContext, type ReactNode, useContext } from "react"

/** The languages that the page speaks. */
export const languages = ["en", "zh-CN"] as const
export type Language = (typeof languages)[number]

/** The words of one part of the page in every language; a missing one does not compile. */
export type Catalogue<Words extends object> = Readonly<Record<Language, Words>>

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

const LanguageContext = createContext<Language>("en")

/** Gives everything below it its language. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  return <LanguageContext value={language}>{children}</LanguageContext>
}

/** The language that the person reads. */
export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** These words in the language that the person reads. */
export function useWords<Words extends object>(words: Catalogue<Words>): Words {
  return words[useLanguage()]
}
