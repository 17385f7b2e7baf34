import { ToolError } from "@haft/contract"
import { hooksProblem } from "../hooks/hook-entry.js"
import type { Setting, SettingType } from "./setting.js"

/** What is wrong with a value, or undefined when it fits. */
export function valueProblem(type: SettingType, value: unknown): string | undefined {
  switch (type.kind) {
    case "choice":
      return choiceProblem(type, value)
    case "text":
      return typeof value === "string" && value !== "" ? undefined : "it must be a string that is not empty"
    case "store":
      return isStore(value) ? undefined : "it must be the path of a SQLite file or a postgres:// URL"
    case "texts":
      return isTexts(value) ? undefined : "it must be a list of strings"
    case "names":
      return namesIn(value)?.every((name) => type.choices.includes(name))
        ? undefined
        : `it must be a name or a list of names, each one of ${type.choices.join(", ")}`
    case "count":
      return typeof value === "number" && Number.isSafeInteger(value) && value > 0
        ? undefined
        : "it must be a whole number above 0"
    case "switch":
      return typeof value === "boolean" ? undefined : "it must be true or false"
    case "object":
      return isPlainObject(value) ? undefined : "it must be an object"
    case "hooks":
      return hooksProblem(value)
  }
}

function choiceProblem(type: Extract<SettingType, { kind: "choice" }>, value: unknown): string | undefined {
  if (type.choices.some((choice) => choice === value)) return undefined
  const { removed = {} } = type
  const why = typeof value === "string" && Object.hasOwn(removed, value) ? `${removed[value]}; ` : ""
  return `${why}it must be one of ${type.choices.join(", ")}`
}

/** A journal is a file, or a database whose URL begins as this pattern wants it. */
export const storePattern = "^(?:postgres(?:ql)?://|(?![A-Za-z][A-Za-z0-9+.-]*://))"

function isStore(value: unknown): boolean {
  return typeof value === "string" && value !== "" && new RegExp(storePattern).test(value)
}

/** Reads a value as a person types it on the command line. */
export function parseSettingText(setting: Setting, key: string, text: string): unknown {
  const value = fromText(setting.type, text)
  const problem = valueProblem(setting.type, value)
  if (problem) throw new ToolError("invalid_args", `Cannot set "${key}" to "${text}": ${problem}`)
  return value
}

/** True for an object that is neither a list nor null. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function fromText(type: SettingType, text: string): unknown {
  if (type.kind === "choice" || type.kind === "text" || type.kind === "store" || type.kind === "names") return text
  // A list may be typed as JSON or with commas; numbers, switches and objects are JSON already.
  if (type.kind === "texts" && !text.trimStart().startsWith("[")) return text.split(",").map((item) => item.trim())
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function namesIn(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.split(",").map((name) => name.trim())
  return isTexts(value) ? value : undefined
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "")
}
