import { isRecord } from "./is-record.js"

/** Something that is wrong with a SKILL.md, with its line. */
export interface SkillProblem {
  readonly line: number
  readonly text: string
  /** True when the skill cannot be used for it; otherwise it is taken as far as it is understood. */
  readonly fatal: boolean
}

/** The front matter of a file with the place of each of its keys, and the text below it. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>
  readonly lineOf: (key: string) => number
  readonly body: string
  readonly problems: readonly SkillProblem[]
}

// Front matter is a few lines; a parser for people's YAML need not meet a megabyte of it.
const maxFrontMatter = 64 * 1024

/** Reads the YAML between two lines of `---` at the top of a text. Anything may be there. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const split = splitFrontMatter(text)
  if (typeof split === "string") return unreadable(text, 1, split)
  const { yaml, body } = split
  if (yaml.length > maxFrontMatter)
    return unreadable(body, 1, `the front matter is longer than ${maxFrontMatter} characters`)
  // Loaded only now: most folders have no skills.
  const { LineCounter, parseDocument, isMap, isScalar } = await import("./yaml-parser.js")
  const counter = new LineCounter()
  try {
    const document = parseDocument(yaml, { lineCounter: counter, schema: "core", customTags: [], logLevel: "silent" })
    // The first line of the file is the `---`.
    const lineAt = (offset: number) => counter.linePos(offset).line + 1
    const [error] = document.errors
    if (error) return unreadable(body, lineAt(error.pos[0]), firstLine(error.message))
    // An alias says nothing that could not be written out, and a few of them can mean gigabytes.
    const values: unknown = document.toJS({ maxAliasCount: 0 }) ?? {}
    if (!isRecord(values)) return unreadable(body, 2, "the front matter must be a list of `key: value` lines")
    const lineOf = (key: string) => {
      const items = isMap(document.contents) ? document.contents.items : []
      const pair = items.find((item) => isScalar(item.key) && item.key.value === key)
      return pair && isScalar(pair.key) && pair.key.range ? lineAt(pair.key.range[0]) : 1
    }
    return { values, lineOf, body, problems: [] }
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? "it is nested too deeply"
        : error instanceof ReferenceError
          ? "aliases are not allowed; write the value out"
          : firstLine((error as Error).message)
    return unreadable(body, 1, `the front matter cannot be read: ${reason}`)
  }
}

function splitFrontMatter(text: string): { readonly yaml: string; readonly body: string } | string {
  const start = /^\uFEFF?---[ \t]*\r?\n/.exec(text)
  if (!start) return "the file must begin with a line of --- and front matter"
  const rest = text.slice(start[0].length)
  const end = /^---[ \t]*(?:\r?\n|$)/m.exec(rest)
  if (!end) return "the front matter does not end; write a line of --- below it"
  return { yaml: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length) }
}

function unreadable(body: string, line: number, text: string): FrontMatter {
  return { values: {}, lineOf: () => 1, body, problems: [{ line, text, fatal: true }] }
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0]!.replace(/ at line \d+, column \d+:?$/, "")
}
