import type { Stats } from "node:fs"
import type { CallScope, FileContent } from "@haft/contract"
import { assertActive, perform } from "../file-session.js"
import { identityText } from "../ledger.js"
import { assertRegular } from "../read/assert-regular.js"
import { readContent } from "../read/read-content.js"
import { contentHashAside, hashInPieces } from "../system/content-hash.js"
import { assertWritable, closeQuietly } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { Pinned, Place, Target } from "../walk/walk.js"

/** A file that is about to be replaced, as it is now. */
export interface Current {
  readonly facts: Stats
  /** Undefined when the file is too large to be read as a whole. */
  readonly content: FileContent | undefined
  hash(): string | Promise<string>
}

/** Which file, and how much of it. */
export interface CurrentRequest {
  readonly target: Target
  readonly place: Place
  readonly call: Pick<CallScope, "signal">
  readonly maxBytes: number
  /** What happens above `maxBytes`: a `too_large` error, or the file is only hashed, and one beyond 1 GB is not read at all. */
  readonly above: "refuse" | "hash"
  /** True when a file that is marked read-only may be taken too: its content stays, or an undo brings back another. */
  readonly anyMode?: boolean | undefined
}

/** Reads the file that is about to be replaced; undefined when there is none. */
export async function readCurrent(request: CurrentRequest): Promise<Current | undefined> {
  const { target, place, maxBytes, above } = request
  if (!place.facts) return undefined
  return perform(target, function* () {
    const pinned = yield* place.root.walk.pinEntry(place.directory, place.name)
    if (!pinned) return undefined
    try {
      if (pinned.facts.isSymbolicLink()) throw unsteadyPath(target)
      assertRegular(pinned.facts, target)
      // A rename needs no permission on the file itself, but a file that is marked read-only is meant to stay.
      if (!request.anyMode) yield* assertWritable(place.directory.entry(place.name))
      if (pinned.facts.size > maxBytes && above === "hash") return yield* hashedOnly(pinned, request)
      const { content } = yield* readContent(pinned, { target, maxBytes })
      return withHash(pinned.facts, content)
    } finally {
      pinned.close()
    }
  })
}

function withHash(facts: Stats, content: FileContent): Current {
  let hash: string | Promise<string> | undefined
  return {
    facts,
    content,
    hash() {
      hash ??= contentHashAside(content.bytes)
      return hash
    },
  }
}

/** Hashing more than this takes longer than a call may; the content of such a file is never kept. */
const maxHashedBytes = 1024 ** 3

function* hashedOnly(pinned: Pinned, { target, call }: CurrentRequest): Program<Current> {
  const { facts } = pinned
  // The identity changes with the content, and nothing is read.
  if (facts.size > maxHashedBytes) return { facts, content: undefined, hash: () => identityText(facts) }
  const descriptor = yield* pinned.openForReading()
  try {
    const hashing = () => hashInPieces(descriptor, () => assertActive(call, target))
    const hash = (yield { now: hashing, later: hashing, heavy: true }) as string
    return { facts, content: undefined, hash: () => hash }
  } finally {
    closeQuietly(descriptor)
  }
}
