import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { BoxProbe } from "../refusal.js"

/** What is known about QEMU on this host since it started. */
export interface KnownMachine {
  readonly fingerprint: string
  readonly qemuVersion: string
  readonly probes: readonly BoxProbe[]
}

const cacheFile = "probes.json"

/** What was found out before under the same circumstances, or undefined. */
export async function readKnown(imagesFolder: string, fingerprint: string): Promise<KnownMachine | undefined> {
  try {
    const known = JSON.parse(await readFile(join(imagesFolder, cacheFile), "utf8")) as KnownMachine
    const usable = known.fingerprint === fingerprint && typeof known.qemuVersion === "string"
    return usable && Array.isArray(known.probes) ? known : undefined
  } catch {
    return undefined
  }
}

/** Keeps what was found out. A folder that cannot be written only costs the next process its time. */
export async function writeKnown(imagesFolder: string, known: KnownMachine): Promise<void> {
  const draft = join(imagesFolder, `.probes-${randomBytes(8).toString("hex")}`)
  try {
    await mkdir(imagesFolder, { recursive: true, mode: 0o700 })
    await writeFile(draft, JSON.stringify(known))
    await rename(draft, join(imagesFolder, cacheFile))
  } catch {
    await rm(draft, { force: true }).catch(() => undefined)
  }
}
