import { appendFileSync } from "node:fs"
import { readFile, rename, rm } from "node:fs/promises"
import type { Use } from "./frecency.js"

/**
 * Notes uses beside the file of uses, for whoever opens that file next: one short write, so that a program which searches
 * nothing need not load, lock and rewrite the whole file.
 */
export function noteUses(file: string, uses: ReadonlyMap<string, Use>): void {
  if (uses.size === 0) return
  const lines = [...uses].map(([id, { count, lastUsed }]) => `${JSON.stringify([id, count, lastUsed])}\n`)
  try {
    appendFileSync(logOf(file), lines.join(""), { mode: 0o600 })
  } catch {
    // Counting what was used never fails what is used.
  }
}

/** Takes the noted uses away; whoever takes them has to store them. */
export async function takeNotedUses(file: string): Promise<ReadonlyMap<string, Use>> {
  const taken = `${logOf(file)}.${process.pid}`
  try {
    await rename(logOf(file), taken)
    const text = await readFile(taken, "utf8")
    await rm(taken, { force: true })
    return parse(text)
  } catch {
    return new Map()
  }
}

function logOf(file: string): string {
  return `${file}.log`
}

function parse(text: string): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>()
  for (const line of text.split("\n")) {
    const use = parseLine(line)
    if (!use) continue
    const [id, count, lastUsed] = use
    const known = uses.get(id)
    uses.set(id, { count: count + (known?.count ?? 0), lastUsed: Math.max(lastUsed, known?.lastUsed ?? 0) })
  }
  return uses
}

/** A line that a crash cut, or that somebody wrote by hand, counts for nothing. */
function parseLine(line: string): readonly [string, number, number] | undefined {
  try {
    const [id, count, lastUsed] = JSON.parse(line) as unknown[]
    if (typeof id !== "string" || !Number.isInteger(count) || !Number.isFinite(lastUsed)) return undefined
    return [id, Math.max(0, count as number), lastUsed as number]
  } catch {
    return undefined
  }
}
