import {
  type CallRecord,
  type Journal,
  type LateEffects,
  type PlacedRule,
  type SessionRecord,
  ToolError,
} from "@haft/contract"
import type { SessionLease } from "@haft/host"
import type { StoreOpener } from "./store-opener.js"

/** The journal of one session; its row is written with its first call. */
export class SessionJournal implements Journal {
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
    if (this.isNew) await store.createSession(this.record)
    this.isNew = false
    return store.claim(this.record.id)
  }
}
