import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { release } from "node:os"
import { basename, dirname, join } from "node:path"
import { bestEffort } from "@haft/contract"
import type { BoxProbe } from "../refusal.js"

/** What is known about a backend on this host since it started. */
export interface Known {
  readonly fingerprint: string
  readonly version: string
  readonly probes: readonly BoxProbe[]
  /** The program under the backend that worked, where it can have several. */
  readonly runtime?: string
}

/** What was found out before under the same circumstances, or undefined. */
export async function readKnown(file: string, fingerprint: string): Promise<Known | undefined> {
  try {
    const known = JSON.parse(await readFile(file, "utf8")) as Known
    const usable = known.fingerprint === fingerprint && typeof known.version === "string"
    return usable && Array.isArray(known.probes) ? known : undefined
  } catch {
    return undefined
  }
}

/** Keeps what was found out. A folder that cannot be written only costs the next process its time. */
export async function writeKnown(file: string, known: Known): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}-${randomBytes(8).toString("hex")}`)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(draft, JSON.stringify(known))
    await rename(draft, file)
  } catch {
    await bestEffort("a folder that cannot be written costs the next process its time", rm(draft, { force: true }))
  }
}

/** Names everything that the outcome of a probe depends on: this start of this host, this user, these programs and devices. */
export async function hostFingerprint(paths: readonly string[]): Promise<string> {
  const bootId =
    (await bestEffort("other systems have no boot id", readFile("/proc/sys/kernel/random/boot_id", "utf8"))) ?? ""
  const facts = await Promise.all(paths.map(factsOf))
  return [bootId.trim(), release(), String(process.getuid?.()), ...facts].join(" ")
}

async function factsOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, mode, rdev } = await stat(path)
    return `${path}:${ino}:${size}:${mtimeMs}:${mode}:${rdev}`
  } catch {
    return `${path}:missing`
  }
}
