import { type MemberSpan, membersAt } from "./json-text.js"

/** How somebody writes JSON, so that what is added looks like the rest. */
export interface JsonStyle {
  /** The text before a member or an item, per depth of nesting; undefined for a text on one line. */
  readonly indent: string | undefined
  readonly lineBreak: string
  /** Between a key and its value. */
  readonly colon: string
  /** Between two items on one line. */
  readonly comma: string
}

/** The style of the object that a text begins with at a place. */
export function styleAt(text: string, start: number): JsonStyle {
  const members = membersAt(text, start)
  const [first, second] = members
  const lead = first ? text.slice(start + 1, first.start) : ""
  const gap = first && second ? text.slice(first.end, second.start) : ","
  return {
    indent: /\n/.test(lead) ? lead.slice(lead.lastIndexOf("\n") + 1) : undefined,
    lineBreak: lead.includes("\r\n") ? "\r\n" : "\n",
    colon: first ? colonOf(text, first) : ": ",
    comma: /\n/.test(gap) ? ", " : gap,
  }
}

function colonOf(text: string, { start, value }: MemberSpan): string {
  const between = /"(\s*:\s*)$/.exec(text.slice(start, value.start))?.[1]
  return between === undefined || between.includes("\n") ? ": " : between
}

/** Writes a value as JSON in a style; `base` is the indent of the line that it begins on. */
export function writeJson(value: unknown, style: JsonStyle, base: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = base + (style.indent ?? "")
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((item) => writeJson(item, style, inner))
    : Object.entries(value).map(([key, item]) => JSON.stringify(key) + style.colon + writeJson(item, style, inner))
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  if (entries.length === 0) return open + close
  if (style.indent === undefined) return open + entries.join(style.comma) + close
  const lead = style.lineBreak + inner
  return open + lead + entries.join(`,${lead}`) + style.lineBreak + base + close
}

/** The blanks before a place when nothing else is on its line; undefined otherwise. */
export function indentBefore(text: string, place: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place)
  return text.lastIndexOf("\n", place - 1) !== -1 && line.trim() === "" ? line : undefined
}
