import { randomBytes } from "node:crypto"
import { mkdir, open, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Store } from "@haft/host"

/** What is needed to open the journal. */
export interface StoreOpenerOptions {
  readonly home: string
  readonly location: string
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
}

/** Opens the journal at first use and once: loading the database driver costs more than a small call. */
export class StoreOpener {
  private opened: Promise<Store> | undefined
  private readonly options: StoreOpenerOptions

  constructor(options: StoreOpenerOptions) {
    this.options = options
  }

  store(): Promise<Store> {
    this.opened ??= openJournal(this.options).catch((error: unknown) => {
      // Tried again at the next call: a full disk or a locked file may be over by then.
      this.opened = undefined
      throw error
    })
    return this.opened
  }

  /** Does something with the journal if anything has opened it. */
  async whenOpened(use: (store: Store) => Promise<void>): Promise<void> {
    if (this.opened) await use(await this.opened)
  }

  async close(): Promise<void> {
    await (await this.opened)?.close()
  }
}

async function openJournal({ home, location, secrets }: StoreOpenerOptions): Promise<Store> {
  const { createRedactor, openStore } = await import("@haft/host")
  await mkdir(home, { recursive: true, mode: 0o700 })
  const key = await redactionKey(join(home, "redaction.key"))
  return openStore({ location, redact: createRedactor({ key, known: secrets }) })
}

/** The key that turns secrets into marks: the same secret has the same mark in all records of this user. */
async function redactionKey(path: string): Promise<Uint8Array> {
  const known = await readFile(path).catch(() => undefined)
  if (known?.length === 32) return known
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const key = randomBytes(32)
  try {
    const file = await open(path, "wx", 0o600)
    await file.write(key).finally(() => file.close())
    return key
  } catch (error) {
    // Another process made it at the same moment.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return readFile(path)
    throw error
  }
}
