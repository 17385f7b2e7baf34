import { type Locale, locales } from "@haft/contract"
import { useSyncExternalStore } from "react"

/** What the person set for this browser. */
export interface Preferences {
  readonly language: Locale
  readonly theme: "light" | "dark" | "auto"
  /** The rail shows icons only. */
  readonly narrow: boolean
}

const stored = "haft.preferences"
let current: Preferences = read()
const readers = new Set<() => void>()

/** The preferences, and again whenever they change. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (changed) => {
      readers.add(changed)
      return () => readers.delete(changed)
    },
    () => current,
  )
}

/** Keeps a preference for the next visit. */
export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes }
  localStorage.setItem(stored, JSON.stringify(current))
  for (const changed of readers) changed()
}

function read(): Preferences {
  const kept = parsed(localStorage.getItem(stored))
  const language = locales.find((name) => name === kept.language) ?? browserLanguage()
  const theme = (["light", "dark", "auto"] as const).find((name) => name === kept.theme) ?? "auto"
  return { language, theme, narrow: kept.narrow === true }
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}")
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // Somebody else wrote it: the defaults hold.
    return {}
  }
}

function browserLanguage(): Locale {
  return navigator.language.toLowerCase().startsWith("zh") ? "zh-CN" : "en"
}
