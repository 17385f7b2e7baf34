import { read as readCallback, readSync, type Stats } from "node:fs"
import { promisify } from "node:util"
import { type CallScope, type LineRequest, type LineWindow, type OpenFile, ToolError } from "@haft/contract"
import { assertActive, type FileSession, whenAborted } from "../file-session.js"
import { readLines } from "../lines/read-lines.js"
import { fileError } from "../system/errno.js"
import { closeQuietly } from "../system/file-call.js"
import { identityOf } from "../system/file-identity.js"
import { smallBytes } from "../system/program.js"
import { withinTurnBudget } from "../system/turn-budget.js"
import type { Target } from "../walk/walk.js"
import { factsOf } from "./facts-of.js"

const read = promisify(readCallback)

/** A descriptor and what it was opened for. */
export interface OpenDescriptor {
  readonly descriptor: number
  readonly path: string
  readonly facts: Stats
  readonly target: Target
  readonly remote: boolean
}

/** A file that stays open and is read piece by piece. Its descriptor is closed on close, on abort, or with the session. */
export function holdLargeFile(session: FileSession, call: CallScope, opened: OpenDescriptor): OpenFile {
  const { descriptor, path, facts, target, remote } = opened
  let reading = 0
  let released = false
  const held = { release }
  session.open.add(held)
  let stopListening: (() => void) | undefined
  stopListening = whenAborted(call, release)

  return {
    ...factsOf(path, facts),
    kind: "file",
    whole: undefined,
    async read(offset, length) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, facts.size - offset)))
      return buffer.subarray(0, await fill(buffer, offset))
    },
    lines,
    close: async () => release(),
  }

  async function lines(request: LineRequest): Promise<LineWindow> {
    const identity = identityOf(facts)
    const readBytes = async (offset: number, length: number) => {
      const buffer = Buffer.allocUnsafeSlow(length)
      return buffer.subarray(0, await fill(buffer, offset))
    }
    const index = await session.lineIndexes.find(identity, request.unit, readBytes)
    const window = await readLines({ size: facts.size, fill }, request, index)
    await session.lineIndexes.sample(identity, index, readBytes)
    return window
  }

  async function fill(buffer: Buffer, offset: number): Promise<number> {
    let filled = 0
    while (filled < buffer.length) {
      assertReadable()
      reading++
      try {
        const count = await readSome(buffer.subarray(filled), offset + filled)
        if (count === 0) break
        filled += count
      } catch (error) {
        throw fileError(error, target.action, target.shown)
      } finally {
        reading--
        if (released && reading === 0) closeQuietly(descriptor)
      }
    }
    assertReadable()
    return filled
  }

  async function readSome(buffer: Buffer, offset: number): Promise<number> {
    const quick = !remote && buffer.length <= smallBytes
    if (quick) return withinTurnBudget(() => readSync(descriptor, buffer, 0, buffer.length, offset))
    return (await read(descriptor, buffer, 0, buffer.length, offset)).bytesRead
  }

  function assertReadable(): void {
    assertActive(call, target)
    if (released) throw new ToolError("internal", `Cannot read "${target.shown}": it was closed before; open it again`)
  }

  /** The descriptor number may be given to another file at once, so it is only closed when no read uses it. */
  function release(): void {
    if (released) return
    released = true
    session.open.delete(held)
    stopListening?.()
    if (reading === 0) closeQuietly(descriptor)
  }
}
