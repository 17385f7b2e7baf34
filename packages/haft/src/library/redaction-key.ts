import { randomBytes } from "node:crypto"
import { link, readFile, rename, rm, writeFile } from "node:fs/promises"

const keyBytes = 32

/** The key that turns secrets into marks: the same secret has the same mark in all records of this user. */
export async function redactionKey(path: string): Promise<Uint8Array> {
  return (await readKey(path)) ?? makeKey(path)
}

/** Written aside and then put in its place, so that no process ever sees, and no crash ever leaves, a part of a key. */
async function makeKey(path: string): Promise<Uint8Array> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`
  const key = randomBytes(keyBytes)
  try {
    await writeFile(aside, key, { flag: "wx", mode: 0o600 })
    await link(aside, path).catch(async () => {
      // Another process made one at the same moment, and that one counts; anything shorter is the rest of a crash.
      if (!(await readKey(path))) await rename(aside, path)
    })
  } finally {
    await rm(aside, { force: true })
  }
  return (await readKey(path)) ?? key
}

async function readKey(path: string): Promise<Uint8Array | undefined> {
  const known = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  return known?.length === keyBytes ? known : undefined
}
