import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { link, rename, rm, writeFile } from "node:fs/promises"
import { ignoreMissing } from "@haft/contract"

const keyBytes = 32

/** The key that turns secrets into marks: the same secret has the same mark in all records of this user. */
export async function redactionKey(path: string): Promise<Uint8Array> {
  return readKey(path) ?? makeKey(path)
}

/** Written aside and then put in its place, so that no process ever sees, and no crash ever leaves, a part of a key. */
async function makeKey(path: string): Promise<Uint8Array> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`
  const key = randomBytes(keyBytes)
  try {
    await writeFile(aside, key, { flag: "wx", mode: 0o600 })
    await link(aside, path).catch(async () => {
      // Another process made one at the same moment, and that one counts; anything shorter is the rest of a crash.
      if (!readKey(path)) await rename(aside, path)
    })
  } finally {
    await rm(aside, { force: true })
  }
  return readKey(path) ?? key
}

/** Synchronous: 32 bytes come sooner than four hops to another thread (bench: command-start). */
function readKey(path: string): Uint8Array | undefined {
  const known = ignoreMissing(() => readFileSync(path))
  return known?.length === keyBytes ? known : undefined
}
