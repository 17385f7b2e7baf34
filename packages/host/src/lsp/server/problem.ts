import type { LanguageItem } from "@haft/contract"
import { countOf, listOf, recordOf, textOf } from "../wire/shape.js"

/** A problem in a file as a server told it; line and character count from 0. */
export interface Problem {
  readonly line: number
  readonly character: number
  readonly message: string
  readonly severity: NonNullable<LanguageItem["severity"]>
  /** Who says so and under which code, for instance `ts 2322`. */
  readonly origin: string
}

const severities = ["error", "warning", "information", "hint"] as const
const maxProblems = 1000
const maxMessage = 2000

/** The problems in a list that a server sent; what has no place or no message is left out. */
export function problemsOf(value: unknown): readonly Problem[] {
  return listOf(value).slice(0, maxProblems).flatMap(problemOf)
}

function problemOf(value: unknown): readonly Problem[] {
  const { range, message, severity, source, code } = recordOf(value) ?? {}
  const start = recordOf(recordOf(range)?.start)
  const line = countOf(start?.line)
  const character = countOf(start?.character)
  const words = textOf(message, maxMessage)
  if (line === undefined || character === undefined || words === undefined) return []
  const origin = [textOf(source, 50), codeOf(code)].filter((part) => part !== undefined).join(" ")
  return [{ line, character, message: words, severity: severities[(countOf(severity) ?? 1) - 1] ?? "error", origin }]
}

function codeOf(code: unknown): string | undefined {
  return typeof code === "number" ? String(code) : textOf(code, 100)
}
