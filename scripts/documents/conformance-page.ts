import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SeedStatement } from "../../packages/haft/test/seeds/seed-statement.js"
import { code, generatedNote, page, table } from "./markdown.js"

/** A point of the conformance list. */
interface Point {
  readonly number: number
  readonly statement: string
  /** Why no test shows it, what a test does not show, or what it waits for. */
  readonly note?: string
}

/**
 * The page of conformance. Throws when a test or a note that it names is gone, and when a point has neither: the check of
 * generated files fails then.
 */
export function conformancePage(root: string, seeds: Readonly<Record<string, readonly SeedStatement[]>>): string {
  const shown = taggedTests(root)
  const points = readPoints(readFileSync(join(root, "scripts/documents/conformance-points.tsv"), "utf8"))
  const known = [...points.values()].flat()
  const unknown = [...shown.keys()].filter((number) => !known.some((point) => point.number === number))
  if (unknown.length > 0) throw new Error(`tests name the points ${unknown.join(", ")}, which are not in the list`)
  return page(
    generatedNote,
    "# Conformance",
    "Each statement of the documents that Haft follows, and each point of the conformance list, with the test that shows it, the note that says why it is another way, or what it waits for. Tests carry the number of a point in their name: `[C2-82]`.",
    ...Object.entries(seeds).flatMap(([title, statements]) => [`## ${title}`, statementTable(root, statements)]),
    "## The conformance list",
    ...[...points].flatMap(([part, list]) => [
      `### ${part}`,
      table(
        ["point", "statement", "shown by"],
        list.map((point) => [String(point.number), point.statement, proofOf(point, shown.get(point.number))]),
      ),
    ]),
  )
}

function statementTable(root: string, statements: readonly SeedStatement[]): string {
  for (const { id, test, title, decision } of statements) {
    for (const file of [test, decision]) {
      if (file !== undefined && !existsSync(join(root, file)))
        throw new Error(`statement ${id} names ${file}, which is gone`)
    }
    if (test !== undefined && title !== undefined && !readFileSync(join(root, test), "utf8").includes(title))
      throw new Error(`statement ${id} names a test "${title}", which is not in ${test}`)
  }
  return table(
    ["number", "statement", "state"],
    statements.map(({ id, statement, state, test, decision, waits }) => {
      if (state === "waits") return [id, statement, `waits for the ${waits?.replace(/^the /, "") ?? "agent"}`]
      const places = [
        ...(test ? [code(test)] : []),
        ...(decision ? [`[${decisionName(decision)}](${decision.slice("docs/".length)})`] : []),
      ]
      if (places.length === 0) throw new Error(`statement ${id} names neither a test nor a decision`)
      return [id, statement, places.join(", ")]
    }),
  )
}

function decisionName(path: string): string {
  return `decision ${path.split("/").at(-1)!.slice(0, 3)}`
}

/** The list by its parts; a number that is missing or occurs twice is a mistake in the file. */
function readPoints(text: string): ReadonlyMap<string, readonly Point[]> {
  const parts = new Map<string, Point[]>()
  let count = 0
  for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("//"))) {
    if (line.startsWith("# ")) {
      parts.set(line.slice(2), [])
      continue
    }
    const [number, statement, note] = line.split("\t")
    count += 1
    if (Number(number) !== count || !statement)
      throw new Error(`the list has "${line}" where point ${count} is expected`)
    ;[...parts.values()].at(-1)!.push({ number: count, statement, ...(note && { note }) })
  }
  return parts
}

function proofOf({ number, note }: Point, tests: ReadonlySet<string> = new Set()): string {
  if (tests.size === 0 && note === undefined) {
    throw new Error(`no test has [C2-${number}] in its name, and the list gives no reason`)
  }
  const files = [...tests].sort().map(code)
  const more = files.length > 3 ? [...files.slice(0, 3), `${files.length - 3} more`] : files
  // What a test shows by now waits no longer.
  const words = note === undefined || (tests.size > 0 && note.startsWith("waits for ")) ? [] : [note]
  return [more.join(", "), ...words].filter((each) => each !== "").join("; ")
}

/** Which files have a test with the number of a point in its name. */
function taggedTests(root: string): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>()
  for (const entry of readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })) {
    if (!/(\.test|-suite)\.ts$/.test(entry) || /(^|\/)(node_modules|dist)\//.test(entry)) continue
    const path = `packages/${entry}`
    for (const [, number] of readFileSync(join(root, path), "utf8").matchAll(/\[C2-(\d+)\]/g)) {
      found.set(Number(number), (found.get(Number(number)) ?? new Set()).add(path))
    }
  }
  return found
}
