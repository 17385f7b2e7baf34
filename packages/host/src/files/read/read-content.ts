import { type FileContent, type FileFacts, ToolError } from "@haft/contract"
import { type FileIdentity, identityOf } from "../ledger.js"
import { contentHash } from "../system/content-hash.js"
import { closeQuietly, readFully } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import type { Pinned, Target } from "../walk/walk.js"
import { assertRegular } from "./assert-regular.js"
import { factsOf } from "./facts-of.js"

/** The whole content of a pinned file; `too_large` above the limit. */
export function* readContent(
  pinned: Pinned,
  { target, maxBytes }: { readonly target: Target; readonly maxBytes: number },
): Program<{ readonly content: FileContent; readonly identity: FileIdentity }> {
  const { path, facts } = pinned
  assertRegular(facts, target)
  if (facts.size > maxBytes) throw tooLarge(facts.size, { target, maxBytes })
  const descriptor = yield* pinned.openForReading()
  try {
    const bytes = yield* readFully(descriptor, facts.size, 0)
    return { content: new HashedContent(factsOf(path, facts), bytes), identity: identityOf(facts) }
  } finally {
    closeQuietly(descriptor)
  }
}

/** Content whose hash is computed when somebody asks for it. */
class HashedContent implements FileContent {
  readonly path: string
  readonly kind: FileContent["kind"]
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
  readonly bytes: Uint8Array
  private computed: string | undefined

  constructor({ path, kind, mtimeMs, mode }: FileFacts, bytes: Uint8Array) {
    this.path = path
    this.kind = kind
    this.size = bytes.length
    this.mtimeMs = mtimeMs
    this.mode = mode
    this.bytes = bytes
  }

  get hash(): string {
    this.computed ??= contentHash(this.bytes)
    return this.computed
  }
}

function tooLarge(size: number, { target, maxBytes }: { target: Target; maxBytes: number }): ToolError {
  return new ToolError(
    "too_large",
    `Cannot ${target.action} "${target.shown}": it has ${size} bytes and the limit is ${maxBytes}; use a part of it`,
    { details: { size, maxBytes } },
  )
}
