import { resolve } from "node:path"
import { type CallScope, type FileWriter, ToolError } from "@haft/contract"
import { maxObjectBytes } from "../../undo/keep/history-object.js"
import { type FileSession, isAborted } from "../file-session.js"
import { moveEntry } from "../move/move-entry.js"
import { missingPath } from "../read/near-names.js"
import { createCallTraces } from "./call-traces.js"
import { changeDiff } from "./change-diff.js"
import { removeEntry } from "./remove-entry.js"
import { type Found, replaceFile } from "./replace-file.js"
import { assertScratchRoom } from "./scratch-room.js"

/** Writes inside the grant of one call. */
export function createWriter(session: FileSession, call: CallScope): FileWriter {
  const traces = createCallTraces()
  // Half of a change is worse than none: what a cancelled call has begun it may still take back.
  const scopeFor = (path: string): CallScope => {
    const isOwn = isAborted(call) && traces.touched.has(resolve(session.directory, path))
    return isOwn ? withoutAbort(call) : call
  }
  return {
    write: async (path, bytes, { mustBeNew = false } = {}) => {
      if (namesDirectory.test(path)) throw directoryMeant("write", path)
      return replaceFile(session, scopeFor(path), {
        path,
        action: "write",
        traces,
        reads: false,
        maxBytes: maxObjectBytes,
        above: "hash",
        async make(found) {
          if (mustBeNew && found.current) throw notNew(found)
          if (found.comparison.state === "changed") throw await changedSinceRead(call, found)
          await assertScratchRoom(session, found, bytes.length)
          return bytes
        },
      })
    },
    update: (path, { maxBytes }, change) =>
      replaceFile(session, scopeFor(path), {
        path,
        action: "edit",
        traces,
        reads: true,
        maxBytes,
        above: "refuse",
        async make(found) {
          const { current, target } = found
          if (!current?.content) throw await missingPath(session, call, target)
          const bytes = await change(current.content)
          await assertScratchRoom(session, found, bytes.length - current.content.bytes.length)
          return bytes
        },
      }),
    remove: (path, options) => removeEntry(session, scopeFor(path), { path, expectHash: options?.expectHash, traces }),
    move: async (from, to) => {
      if (namesDirectory.test(to)) throw directoryMeant(`move "${from}" to`, to)
      return moveEntry(session, scopeFor(from), { from, to, traces })
    },
  }
}

function withoutAbort(call: CallScope): CallScope {
  const { callId, sessionId, deadlineMs, grant } = call
  const observe: CallScope["observe"] = (effect) => call.observe(effect)
  return { callId, sessionId, deadlineMs, grant, observe, signal: new AbortController().signal }
}

// Such a path would lose its ending on the way and become a file of the directory's name.
const namesDirectory = /\/\.{0,2}$/

function directoryMeant(action: string, path: string): ToolError {
  return new ToolError("unsupported", `Cannot ${action} "${path}": it names a directory; add a name`)
}

function notNew({ target }: Found): ToolError {
  return new ToolError("conflict", `Cannot ${target.action} "${target.shown}": it exists already`, {
    hint: "Read the file, and update it or choose another name",
  })
}

async function changedSinceRead(call: CallScope, found: Found): Promise<ToolError> {
  const { target, path, current, comparison } = found
  const former = comparison.state === "changed" ? comparison.former : undefined
  const now = current?.content?.bytes
  const diff = former && now && call.grant.mayKeep(path) ? await changeDiff(former, now) : undefined
  return new ToolError(
    "conflict",
    `Cannot write "${target.shown}": it was changed since it was last read; read it again${diff ? `\n${diff}` : ""}`,
    { hint: "Read the file again", ...(diff && { details: { diff } }) },
  )
}
