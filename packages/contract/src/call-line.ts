import type { ToolWords } from "./manifest.js"

/**
 * The one line by which people know a call: its title and what it is about. Hidden characters are still in it; who shows
 * it writes them out.
 */
export function callLine({ title }: Pick<ToolWords, "title">, args: unknown): string {
  const subject = firstLine(callSubject(args) ?? "")
  return subject === "" ? title : `${title} ${subject}`
}

/** The first line of a text, with a mark where more follows. */
export function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end < 0 ? text : `${text.slice(0, end)} …`
}

/**
 * What a call is about, from arguments of any tool and any shape, whole or as far as they came in. Undefined where no
 * argument says it.
 */
export function callSubject(args: unknown): string | undefined {
  const given = fieldsOf(args)
  return entrySubject(given) ?? phraseOf(given) ?? firstOf(given, tellingKeys) ?? firstShort(given)
}

type Fields = Readonly<Record<string, unknown>>

// What people would call the call by, best first.
const tellingKeys = [
  ...["file_path", "notebook_path", "pattern", "query", "url", "path", "expression", "name", "title", "id"],
  ...["prompt", "message", "setting", "code"],
]

// The work itself and not what it is about: long, or not for every eye.
const contentKeys: ReadonlySet<string> = new Set(["text", "content", "body", "value", "input", "diff", "patch", "data"])

/** Of a list of things the one that is at hand. */
function entrySubject(given: Fields): string | undefined {
  const [move] = entriesOf(given.moves)
  const from = move && textOf(move.from)
  if (from !== undefined) return `${from} → ${textOf(move?.to) ?? ""}`
  const [question] = entriesOf(given.questions)
  if (question) return firstOf(question, ["header", "question"])
  const current = entriesOf(given.todos).find(({ status }) => status === "in_progress")
  if (current) return firstOf(current, ["active_form", "activeForm", "content"])
  const plan = textOf(given.plan)
  if (plan !== undefined) return plan.replace(/^#+\s*/, "")
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(textOf(given.patch) ?? "")?.[1]
}

const plainWord = /^[\w./:=@%+,-]+$/

/** A command or an action with what it names, in the order in which it would be typed. */
function phraseOf(given: Fields): string | undefined {
  const { command, action, args } = given
  if (textOf(action) !== undefined) return textsAt(given, ["action", "query", "file_path"]).join(" ")
  if (textOf(command) === undefined) return undefined
  const words = (Array.isArray(args) ? args : []).filter((word) => typeof word === "string")
  const typed = words.map((word) => (plainWord.test(word) ? word : JSON.stringify(word)))
  const names = textsAt(given, ["subcommand", "name", "ref", "target", "path"])
  const whole = [command, ...typed, ...names, ...(given.force === true ? ["--force"] : [])].join(" ")
  return textOf(given.description) ?? whole
}

function firstShort(given: Fields): string | undefined {
  const found = Object.entries(given).find(
    ([key, value]) => !contentKeys.has(key) && (typeof value === "number" || textOf(value) !== undefined),
  )
  return found && String(found[1])
}

function firstOf(given: Fields, keys: readonly string[]): string | undefined {
  return textsAt(given, keys)[0]
}

function textsAt(given: Fields, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => textOf(given[key]) ?? [])
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}

function entriesOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : {}
}
