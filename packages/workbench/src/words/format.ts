import type { Locale } from "@haft/contract"
import { durationText } from "@haft/faces"
import { useMemo } from "react"
import { useLanguage } from "./words.js"

/** Numbers and times as a reader of this language expects them. */
export interface Format {
  number(value: number): string
  duration(ms: number): string
  time(at: number): string
  moment(at: number): string
  ago(at: number): string
}

/** The format of the person's language. */
export function useFormat(): Format {
  const language = useLanguage()
  return useMemo(() => formatOf(language), [language])
}

function formatOf(language: Locale): Format {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const time = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" })
  return {
    number: (value) => number.format(value),
    // As faces write it.
    duration: durationText,
    time: (at) => time.format(at),
    moment: (at) => moment.format(at),
    ago: (at) => {
      const seconds = (at - Date.now()) / 1000
      const [name, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const)
      return relative.format(Math.round(seconds / size), name)
    },
  }
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const
