import { useMemo } from "react"
import { type Language, useLanguage } from "./words.js"

/** Numbers, sizes and times as a reader of this language expects them. */
export interface Format {
  number(value: number): string
  bytes(value: number): string
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

function formatOf(language: Language): Format {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const time = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" })
  const unit = (name: string, value: number) =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: 1,
    }).format(value)
  return {
    number: (value) => number.format(value),
    bytes: (value) => {
      if (value < 1000) return unit("byte", value)
      return value < 1_000_000 ? unit("kilobyte", value / 1000) : unit("megabyte", value / 1_000_000)
    },
    duration: (ms) => {
      if (ms < 1000) return unit("millisecond", Math.round(ms))
      return ms < 60_000 ? unit("second", ms / 1000) : unit("minute", ms / 60_000)
    },
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
