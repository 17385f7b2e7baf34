import { type JsonStyle, styleAt, writeJson } from "./json-style.js"
import { memberOf, membersAt, withSpan } from "./json-text.js"

/** What becomes of a cell. */
export interface CellChange {
  readonly source: string
  /** Undefined to keep the type. */
  readonly type: "code" | "markdown" | undefined
}

/** The text of a cell with another source and perhaps another type; the rest of it stays. */
export function editCell(cell: string, { source, type }: CellChange): string {
  const withSource = setMember(cell, "source", linesOf(source))
  if (type === undefined) return withSource
  const typed = setMember(withSource, "cell_type", type)
  if (type === "markdown") return ["outputs", "execution_count"].reduce(withoutMember, typed)
  return addMember(addMember(withoutMember(typed, "attachments"), "outputs", []), "execution_count", null)
}

/** A source as notebooks keep it: a list of lines, each with its line break. */
export function linesOf(source: string): readonly string[] {
  return source.match(/[^\n]*\n|[^\n]+/g) ?? []
}

function setMember(cell: string, key: string, value: unknown): string {
  const member = memberOf(membersAt(cell, 0), key)!
  return withSpan(cell, member.value, write(cell, value))
}

/** Adds a member behind the type of the cell, unless it is there. */
function addMember(cell: string, key: string, value: unknown): string {
  const members = membersAt(cell, 0)
  if (memberOf(members, key)) return cell
  const { end } = memberOf(members, "cell_type")!
  const { indent, comma, lineBreak, colon } = styleAt(cell, 0)
  const gap = indent === undefined ? comma : `,${lineBreak}${indent}`
  return withSpan(cell, { start: end, end }, gap + JSON.stringify(key) + colon + write(cell, value))
}

function withoutMember(cell: string, key: string): string {
  const members = membersAt(cell, 0)
  const index = members.findLastIndex((member) => member.key === key)
  if (index === -1) return cell
  const span =
    index > 0
      ? { start: members[index - 1]!.end, end: members[index]!.end }
      : { start: members[0]!.start, end: members[1]!.start }
  // A key that occurs twice is removed twice.
  return withoutMember(withSpan(cell, span, ""), key)
}

/** Writes the value of a member of the cell as the cell itself is written. */
function write(cell: string, value: unknown): string {
  const style = styleAt(cell, 0)
  return writeJson(value, { ...style, indent: unitOf(cell, style) }, style.indent ?? "")
}

/** One step of indent: what the members have more than the closing brace. */
function unitOf(cell: string, { indent }: JsonStyle): string | undefined {
  if (indent === undefined) return undefined
  const own = /\n([ \t]*)\}$/.exec(cell)?.[1] ?? ""
  return indent.length > own.length && indent.startsWith(own) ? indent.slice(own.length) : " "
}
