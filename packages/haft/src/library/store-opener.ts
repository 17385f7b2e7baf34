import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { createRedactor, openStore, type Store } from "@haft/host"
import { redactionKey } from "./redaction-key.js"

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
  const key = await stateKey(home)
  return openStore({ location, redact: createRedactor({ key, known: secrets }) })
}

async function stateKey(home: string): Promise<Uint8Array> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    return await redactionKey(join(home, "redaction.key"))
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ToolError("unavailable", `Cannot keep a journal in "${home}": the folder cannot be used (${reason})`, {
      hint: "Make it writable, or set HAFT_HOME to another folder",
      cause: error,
    })
  }
}
