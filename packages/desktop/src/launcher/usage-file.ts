import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Use } from "./usage.js"

/** The uses in a file and what tells one state of the file from another. */
export interface StoredUses {
  readonly uses: Map<string, Use>
  readonly version: string
}

/** The stored uses; none when the file is missing, and what can still be read when it is damaged. */
export async function readUsageFile(file: string): Promise<StoredUses> {
  const text = await readBounded(file)
  const uses = new Map<string, Use>()
  for (const row of rowsIn(text)) {
    const [id, count, lastUsed] = Array.isArray(row) ? (row as unknown[]) : []
    if (typeof id !== "string" || typeof count !== "number" || !(count > 0) || count > Number.MAX_SAFE_INTEGER) continue
    uses.set(id, { count, lastUsed: typeof lastUsed === "number" ? lastUsed : undefined })
  }
  return { uses, version: await usageFileVersion(file) }
}

/** Changes when the file does; empty when it is missing. */
export async function usageFileVersion(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file)
    return `${ino}:${mtimeMs}:${size}`
  } catch {
    return ""
  }
}

/** Puts a new file into the place of the old one: a reader sees one of the two, whole. */
export async function writeUsageFile(file: string, uses: ReadonlyMap<string, Use>): Promise<void> {
  const rows = Array.from(uses, ([id, { count, lastUsed }]) => JSON.stringify([id, count, lastUsed ?? null]))
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${randomUUID()}.new`
  try {
    // A line for each thing, so that a damaged file loses only the damaged lines.
    await writeFile(fresh, `[\n${rows.join(",\n")}\n]\n`, { mode: 0o600, flag: "wx" })
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

async function readBounded(file: string): Promise<string> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      return size > maxFileBytes ? "" : await handle.readFile("utf8")
    } finally {
      await handle.close()
    }
  } catch {
    return ""
  }
}

// Far more than the things that are kept can fill.
const maxFileBytes = 16 * 1024 * 1024

function rowsIn(text: string): readonly unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line.replace(/,\s*$/, "")) as unknown]
    } catch {
      return []
    }
  })
}

/**
 * Takes away the uses that ended sessions have appended to `FILE.log`, a line `[id, count, lastUsed]` each; the caller has
 * to store them.
 */
export async function takeNotedUses(file: string): Promise<ReadonlyMap<string, Use>> {
  const taken = `${file}.log.${process.pid}`
  try {
    await rename(`${file}.log`, taken)
    const text = await readFile(taken, "utf8")
    await rm(taken, { force: true })
    return parseNoted(text)
  } catch {
    return new Map()
  }
}

function parseNoted(text: string): ReadonlyMap<string, Use> {
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
