import { mkdirSync } from "node:fs"
import { join } from "node:path"
import {
  type CallRecord,
  type Journal,
  type LateEffects,
  type PlacedRule,
  type SessionRecord,
  ToolError,
  type TurnJournal,
  type TurnRecord,
} from "@haft/contract"
import { createRedactor, openStore, type Redactor, type SessionLease, type Store } from "@haft/store"
import { redactionKey } from "./redaction-key.js"

/** The journal of one session; its row is written with its first call. */
export class SessionJournal implements Journal, TurnJournal {
  private readonly opener: StoreOpener
  private readonly record: SessionRecord
  private lease: Promise<SessionLease> | undefined
  /** True until the row of a new session is written, so that a claim can be tried again after a full disk. */
  private isNew: boolean
  private isClosed = false

  constructor(opener: StoreOpener, record: SessionRecord, options: { readonly isNew: boolean }) {
    this.opener = opener
    this.record = record
    this.isNew = options.isNew
  }

  async begin(record: CallRecord): Promise<void> {
    await this.own()
    await (await this.opener.store()).begin(record)
  }

  async settle(record: CallRecord): Promise<void> {
    await this.own()
    await (await this.opener.store()).settle(record)
  }

  async observe(late: LateEffects): Promise<void> {
    await this.own()
    await (await this.opener.store()).observe(late)
  }

  async savePermissions(sessionId: string, rules: readonly PlacedRule[]): Promise<void> {
    await this.own()
    await (await this.opener.store()).savePermissions(sessionId, rules)
  }

  async calls(sessionId: string): Promise<readonly CallRecord[]> {
    if (this.isNew) return []
    return (await this.opener.store()).calls(sessionId)
  }

  async append(record: TurnRecord, options: { readonly synced: boolean }): Promise<void> {
    await this.own()
    await (await this.opener.store()).append(record, options)
  }

  async records(sessionId: string, page?: Parameters<TurnJournal["records"]>[1]): Promise<readonly TurnRecord[]> {
    if (this.isNew) return []
    return (await this.opener.store()).records(sessionId, page)
  }

  /** Becomes the one owner of the session; a living owner elsewhere is a conflict. */
  async own(): Promise<SessionLease> {
    if (this.isClosed) throw new ToolError("cancelled", `Cannot record in session "${this.record.id}": it is closed`)
    this.lease ??= this.claim().catch((error: unknown) => {
      this.lease = undefined
      throw error
    })
    return this.lease
  }

  async close(): Promise<void> {
    this.isClosed = true
    await (await this.lease)?.release()
  }

  private async claim(): Promise<SessionLease> {
    const store = await this.opener.store()
    if (!this.isNew) return store.claim(this.record.id)
    const lease = await store.claimNew(this.record)
    this.isNew = false
    return lease
  }
}

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
    const { home, location } = this.options
    const opening = async () => openStore({ location, blobs: join(home, "blobs"), redact: await this.redactor() })
    this.opened ??= opening().catch((error: unknown) => {
      // Tried again at the next call: a full disk or a locked file may be over by then.
      this.opened = undefined
      throw error
    })
    return this.opened
  }

  /** Takes secrets out of texts and values, as in the journal. */
  async redactor(): Promise<Redactor> {
    const { home, secrets } = this.options
    return createRedactor({ key: await stateKey(home), known: secrets })
  }

  /** Does something with the journal if anything has opened it. */
  async whenOpened(use: (store: Store) => Promise<void>): Promise<void> {
    if (this.opened) await use(await this.opened)
  }

  async close(): Promise<void> {
    await (await this.opened)?.close()
  }
}

async function stateKey(home: string): Promise<Uint8Array> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    return await redactionKey(join(home, "redaction.key"))
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ToolError("unavailable", `Cannot keep a journal in "${home}": the folder cannot be used (${reason})`, {
      hint: "Make it writable, or set HAFT_HOME to another folder",
      cause: error,
    })
  }
}
