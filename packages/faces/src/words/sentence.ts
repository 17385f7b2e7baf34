import { bestEffort, type Locale } from "@haft/contract"
import { type Say, sayEnglish, sayIn } from "@haft/language"
import { useContext, useEffect, useSyncExternalStore } from "react"
import { LocaleContext } from "./locale.js"

const known = new Map<Locale, Say>([["en", sayEnglish]])
const loading = new Set<Locale>()
const readers = new Set<() => void>()

/**
 * Says finished English sentences of the engine, such as reasons, errors and hints, in the language of the page. Its words are
 * loaded by the first who needs them; until then, and for sentences that are not ours, the English one is said.
 */
export function useSentence(): Say {
  const locale = useContext(LocaleContext)
  useEffect(
    () => void bestEffort("the English sentences stay until the words are asked for again", load(locale)),
    [locale],
  )
  const current = () => known.get(locale) ?? sayEnglish
  return useSyncExternalStore(subscribe, current, current)
}

async function load(locale: Locale): Promise<void> {
  if (known.has(locale) || loading.has(locale)) return
  loading.add(locale)
  try {
    known.set(locale, await sayIn(locale))
  } finally {
    loading.delete(locale)
  }
  for (const read of readers) read()
}

function subscribe(read: () => void): () => void {
  readers.add(read)
  return () => readers.delete(read)
}
