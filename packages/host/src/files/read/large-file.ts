import { read as readCallback, readSync, type Stats } from "node:fs"
import { promisify } from "node:util"
import { type CallScope, type LineRequest, type LineWindow, type OpenFile, ToolError } from "@haft/contract"
import { assertActive, type FileSession, whenAborted } from "../file-session.js"
import { identityOf } from "../ledger.js"
import { readLines } from "../lines/read-lines.js"
import { fileError } from "../system/errno.js"
import { closeQuietly } from "../system/file-call.js"
import { smallBytes, withinTurnBudget } from "../system/program.js"
import type { Target } from "../walk/walk.js"
import { factsOf } from "./facts-of.js"

const read = promisify(readCallback)

export interface OpenDescriptor {
  readonly descriptor: number
  readonly path: string
  readonly facts: Stats
  readonly target: Target
  readonly remote: boolean
}

/** A file that stays open and is read piece by piece. Its descriptor is closed on close, on abort, or with the session. */
export function holdLargeFile(session: FileSession, call: CallScope, opened: OpenDescriptor): OpenFile {
  const held = new LargeFile(session, call, opened)
  return {
    ...factsOf(opened.path, opened.facts),
    kind: "file",
    whole: undefined,
    read: (offset, length) => held.read(offset, Math.max(0, Math.min(length, opened.facts.size - offset))),
    lines: (request) => held.lines(request),
    close: async () => held.release(),
  }
}

class LargeFile {
  private readonly session: FileSession
  private readonly call: CallScope
  private readonly opened: OpenDescriptor
  private readonly stopListening: (() => void) | undefined
  private reading = 0
  private released = false

  constructor(session: FileSession, call: CallScope, opened: OpenDescriptor) {
    this.session = session
    this.call = call
    this.opened = opened
    session.open.add(this)
    this.stopListening = whenAborted(call, () => this.release())
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(length)
    return buffer.subarray(0, await this.fill(buffer, offset))
  }

  async lines(request: LineRequest): Promise<LineWindow> {
    const { facts } = this.opened
    const { lineIndexes } = this.session
    const identity = identityOf(facts)
    const read = (offset: number, length: number) => this.read(offset, length)
    const index = await lineIndexes.find(identity, request.unit, read)
    const fill = (buffer: Buffer, offset: number) => this.fill(buffer, offset)
    const window = await readLines({ size: facts.size, fill }, request, index)
    await lineIndexes.sample(identity, index, read)
    return window
  }

  /** The descriptor number may be given to another file at once, so it is only closed when no read uses it. */
  release(): void {
    if (this.released) return
    this.released = true
    this.session.open.delete(this)
    // Undefined when the call was over before the listening began.
    this.stopListening?.()
    if (this.reading === 0) closeQuietly(this.opened.descriptor)
  }

  private async fill(buffer: Buffer, offset: number): Promise<number> {
    const { descriptor, target } = this.opened
    let filled = 0
    while (filled < buffer.length) {
      this.assertReadable()
      this.reading++
      try {
        const count = await this.readSome(buffer.subarray(filled), offset + filled)
        if (count === 0) break
        filled += count
      } catch (error) {
        throw fileError(error, target.action, target.shown)
      } finally {
        this.reading--
        if (this.released && this.reading === 0) closeQuietly(descriptor)
      }
    }
    this.assertReadable()
    return filled
  }

  private async readSome(buffer: Buffer, offset: number): Promise<number> {
    const { descriptor, remote } = this.opened
    const quick = !remote && buffer.length <= smallBytes
    if (quick) return withinTurnBudget(() => readSync(descriptor, buffer, 0, buffer.length, offset))
    return (await read(descriptor, buffer, 0, buffer.length, offset)).bytesRead
  }

  private assertReadable(): void {
    const { target } = this.opened
    assertActive(this.call, target)
    if (!this.released) return
    throw new ToolError("internal", `Cannot read "${target.shown}": it was closed before; open it again`)
  }
}
