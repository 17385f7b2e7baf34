import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SeedStatement } from "../../packages/haft/test/seeds/seed-statement.js"
import { type Point, points } from "./conformance-points.js"
import { code, generatedNote, page, table } from "./markdown.js"

/** What a point may wait for. */
export type Waits = "agent" | "workbench" | "doors"

/**
 * The page of conformance. Throws when a test or a note that it names is gone, and when a point has neither: the check of
 * generated files fails then.
 */
export function conformancePage(root: string, seeds: Readonly<Record<string, readonly SeedStatement[]>>): string {
  const shown = taggedTests(root)
  const known = Object.values(points).flat()
  const unknown = [...shown.keys()].filter((number) => !known.some((point) => point.number === number))
  if (unknown.length > 0) throw new Error(`tests name the points ${unknown.join(", ")}, which are not in the list`)
  return page(
    generatedNote,
    "# Conformance",
    "Each statement of the documents that Haft follows, and each point of the conformance list, with the test that shows it, the note that says why it is another way, or what it waits for. Tests carry the number of a point in their name: `[C2-82]`.",
    ...Object.entries(seeds).flatMap(([title, statements]) => [`## ${title}`, statementTable(root, statements)]),
    "## The conformance list",
    ...Object.entries(points).flatMap(([part, list]) => [
      `### ${part}`,
      table(
        ["point", "statement", "shown by"],
        list.map((point) => [String(point.number), point.statement, proofOf(point, shown.get(point.number))]),
      ),
    ]),
  )
}

function statementTable(root: string, statements: readonly SeedStatement[]): string {
  for (const { id, test, decision } of statements) {
    for (const file of [test, decision]) {
      if (file !== undefined && !existsSync(join(root, file)))
        throw new Error(`statement ${id} names ${file}, which is gone`)
    }
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

function proofOf({ number, waits, note }: Point, tests: ReadonlySet<string> = new Set()): string {
  if (tests.size === 0 && waits === undefined && note === undefined) {
    throw new Error(`no test has [C2-${number}] in its name, and the list gives no reason`)
  }
  const files = [...tests].sort().map(code)
  const more = files.length > 3 ? [...files.slice(0, 3), `${files.length - 3} more`] : files
  const wait = tests.size === 0 && waits !== undefined ? [`waits for the ${waits}`] : []
  return [more.join(", "), ...wait, ...(note === undefined ? [] : [note])].filter((words) => words !== "").join("; ")
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
