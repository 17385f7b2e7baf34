import type { Locale } from "@haft/contract"
import { useContext } from "react"
import { en } from "./en.js"
import { LocaleContext } from "./locale.js"
import { zhCn } from "./zh-cn.js"

/** Words by key in every language; made with `defineWords`, so that none is missing. */
export type Words<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>

/** Puts the languages of some words together: a key that one of them lacks does not compile. */
export function defineWords<Key extends string>(
  english: Readonly<Record<Key, string>>,
  chinese: Readonly<Record<NoInfer<Key>, string>>,
): Words<Key> {
  return { en: english, "zh-CN": chinese }
}

/** The words that the faces themselves use. */
export const faceWords = defineWords(en, zhCn)

/** Says something in the language of the page: fills in values, and takes the form that the number `n` asks for. */
export type Say<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

/** A function that says words of this catalogue in one language. */
export function sayIn<Key extends string>(locale: Locale, words: Words<Key>): Say<Key> {
  return (key, values = {}) => {
    // Keys made of data, such as the name of a step in a recording, may be unknown here.
    const forms = (words[locale][key] ?? key).split("|")
    const isOne = typeof values.n === "number" && new Intl.PluralRules(locale).select(values.n) === "one"
    const form = forms.length > 1 && !isOne ? forms[1]! : forms[0]!
    return form.replace(/\{(\w+)\}/g, (all, name: string) => shown(values[name], locale) ?? all)
  }
}

function shown(value: string | number | undefined, locale: Locale): string | undefined {
  return typeof value === "number" ? new Intl.NumberFormat(locale).format(value) : value
}

/** Says words of the faces in the language of the page. */
export function useSay(): Say<keyof typeof en> {
  return sayIn(useContext(LocaleContext), faceWords)
}

/** Says words of a tool's own catalogue in the language of the page. */
export function useWords<Key extends string>(words: Words<Key>): Say<Key> {
  return sayIn(useContext(LocaleContext), words)
}
