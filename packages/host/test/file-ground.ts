import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type CallScope,
  type FileReader,
  type FileWriter,
  type Grant,
  type ObservedEffect,
  ToolError,
} from "@haft/contract"
import { expect } from "vitest"
import { createFileSession, type FileSession } from "../src/files/file-session.js"
import { createReader } from "../src/files/read/reader.js"
import { openRoot } from "../src/files/walk/open-root.js"
import { createRootSet, type Walk } from "../src/files/walk/walk.js"
import { createWriter } from "../src/files/write/writer.js"

/** A real workspace in a temporary folder, with a place outside of it. */
export interface FileGround {
  readonly root: string
  readonly outside: string
  readonly historyFolder: string
  readonly session: FileSession
  readonly effects: ObservedEffect[]
  /** The ports of one call; everything is granted unless said otherwise. */
  files(options?: CallOptions): FileReader & FileWriter
  close(): void
}

/** How a call differs from one that may do everything. */
export interface CallOptions {
  readonly grant?: Partial<Grant>
  readonly signal?: AbortSignal
}

/** What the ground pretends to be: another platform, a remote file system. */
export interface GroundOptions {
  readonly walk?: Walk
  readonly remote?: boolean
  /** Holds the history instead of a folder beside the workspace. */
  readonly historyFolder?: string
}

/** Makes the ground. */
export function createFileGround(options: GroundOptions = {}): FileGround {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-files-")))
  const [root, outside] = [join(folder, "root"), join(folder, "outside")]
  const { historyFolder = join(folder, "history") } = options
  mkdirSync(root)
  mkdirSync(outside)
  const opened = { ...openRoot(root, options.walk), ...(options.remote && { remote: true }) }
  const session = createFileSession({ directory: root, roots: createRootSet(() => [opened]), historyFolder })
  const effects: ObservedEffect[] = []
  return {
    root,
    outside,
    historyFolder,
    session,
    effects,
    files(callOptions) {
      const call = callScope(effects, callOptions)
      return { ...createReader(session, call), ...createWriter(session, call) }
    },
    close() {
      for (const held of [...session.open]) held.release()
      opened.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A call that may do everything unless said otherwise. */
export function callScope(effects: ObservedEffect[], { grant = {}, signal }: CallOptions = {}): CallScope {
  return {
    callId: "call",
    sessionId: "session",
    signal: signal ?? new AbortController().signal,
    deadlineMs: Date.now() + 600_000,
    grant: { admits: () => true, mayKeep: () => true, ...grant },
    observe: (effect) => effects.push(effect),
  }
}

/** The ToolError that a piece of work ends with. */
export async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(outcome, "the work should have failed").toBeDefined()
  if (!ToolError.is(outcome)) throw outcome
  return outcome
}

/** Bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Text of bytes. */
export function textOf(content: Uint8Array | undefined): string {
  return new TextDecoder().decode(content)
}
