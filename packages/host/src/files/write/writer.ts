import { type CallScope, type FileWriter, ToolError } from "@haft/contract"
import type { FileSession } from "../file-session.js"
import { maxObjectBytes } from "../history/history-object.js"
import { missingPath } from "../read/near-names.js"
import { changeDiff } from "./change-diff.js"
import { type Found, replaceFile } from "./replace-file.js"
import { assertScratchRoom } from "./scratch-room.js"

/** Writes inside the grant of one call. */
export function createWriter(session: FileSession, call: CallScope): FileWriter {
  return {
    write: async (path, bytes) => {
      if (namesDirectory.test(path)) throw directoryMeant(path)
      return replaceFile(session, call, {
        path,
        action: "write",
        reads: false,
        maxBytes: maxObjectBytes,
        above: "hash",
        async make(found) {
          if (found.comparison.state === "changed") throw await changedSinceRead(call, found)
          await assertScratchRoom(session.scratchFolder, found, bytes.length)
          return bytes
        },
      })
    },
    update: (path, { maxBytes }, change) =>
      replaceFile(session, call, {
        path,
        action: "edit",
        reads: true,
        maxBytes,
        above: "refuse",
        async make(found) {
          const { current, target } = found
          if (!current?.content) throw await missingPath(session, call, target)
          const bytes = await change(current.content)
          await assertScratchRoom(session.scratchFolder, found, bytes.length - current.content.bytes.length)
          return bytes
        },
      }),
  }
}

// Such a path would lose its ending on the way and become a file of the directory's name.
const namesDirectory = /\/\.{0,2}$/

function directoryMeant(path: string): ToolError {
  return new ToolError("unsupported", `Cannot write "${path}": it names a directory; add the name of a file`)
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
