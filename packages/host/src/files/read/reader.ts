import { type CallScope, type FileContent, type FileFacts, type FileReader, ToolError } from "@haft/contract"
import { aim, assertActive, display, type FileSession, judge, perform } from "../file-session.js"
import type { Program } from "../system/program.js"
import { withinTurnBudget } from "../system/turn-budget.js"
import type { Pinned, RootSet, Target } from "../walk/walk.js"
import { factsOf } from "./facts-of.js"
import { listDirectory } from "./list-directory.js"
import { locate } from "./locate.js"
import { missingPath } from "./near-names.js"
import { openLooked, openPinned, openQuickly } from "./open-file.js"
import { readContent } from "./read-content.js"

/** Reads inside the grant of one call. */
export function createReader(session: FileSession, call: CallScope): FileReader {
  return {
    open: async (path) => {
      const looked = await withinTurnBudget(() => openLooked(session, call, path))
      if (looked) return looked
      const target = await begin(path, "read")
      const quick = target.root.remote ? undefined : await withinTurnBudget(() => openQuickly(session, call, target))
      return quick ?? withPinned(target, (pinned) => openPinned(session, call, { pinned, target }))
    },
    readAll: async (path, { maxBytes }) => {
      const target = await begin(path, "read")
      return withPinned(target, (pinned) => readAll(pinned, { target, maxBytes }))
    },
    stat: async (path) => {
      const target = await begin(path, "look at")
      return perform(target, () => stat(target))
    },
    list: async (path, options) => {
      const target = await begin(path, "list")
      const pinned = await perform(target, () => target.root.walk.pin(target, session.roots))
      if (!pinned) throw await missingPath(session, call, target)
      try {
        return await listDirectory(call, { pinned, target }, options)
      } finally {
        pinned.close()
      }
    },
    locate: (path) => locate(session, path),
    display: (path) => display(session, path),
  }

  async function begin(path: string, action: string): Promise<Target> {
    const target = await aim(session, path, action)
    assertActive(call, target)
    return target
  }

  async function withPinned<Result>(target: Target, use: (pinned: Pinned) => Program<Result>): Promise<Result> {
    const found = await perform(target, () => pinAndUse(target, session.roots, use))
    if (found) return found.result
    throw await missingPath(session, call, target)
  }

  function* readAll(pinned: Pinned, wanted: { target: Target; maxBytes: number }): Program<FileContent> {
    judge(call, "fs.read", { path: pinned.path, target: wanted.target })
    const { content, identity } = yield* readContent(pinned, wanted)
    call.observe({ kind: "fs.read", path: pinned.path })
    session.ledger.remember(pinned.path, { identity, bytes: content.bytes })
    return content
  }

  function* stat(target: Target): Program<FileFacts | undefined> {
    const pinned = yield* target.root.walk.pin(target, session.roots)
    if (!pinned) return undefined
    try {
      const { path, facts } = pinned
      judge(call, "fs.read", { path, target })
      if (facts.isFile() || facts.isDirectory()) return factsOf(path, facts)
      throw new ToolError("unsupported", `Cannot look at "${target.shown}": it is neither a file nor a directory`)
    } finally {
      pinned.close()
    }
  }
}

function* pinAndUse<Result>(
  target: Target,
  roots: RootSet,
  use: (pinned: Pinned) => Program<Result>,
): Program<{ readonly result: Result } | undefined> {
  const pinned = yield* target.root.walk.pin(target, roots)
  if (!pinned) return undefined
  try {
    return { result: yield* use(pinned) }
  } finally {
    pinned.close()
  }
}
