import { createFileSession } from "../../src/files/file-session.js"
import { createReader } from "../../src/files/read/reader.js"
import { openRoot } from "../../src/files/walk/open-root.js"
import { createRootSet } from "../../src/files/walk/walk.js"
import { createWriter } from "../../src/files/write/writer.js"

/** The files of a call in a child process; the arguments are the root and the history folder. */
export function openChildFiles() {
  const [path, historyFolder] = process.argv.slice(2) as [string, string]
  const root = openRoot(path)
  const session = createFileSession({ directory: root.path, roots: createRootSet(() => [root]), historyFolder })
  const call = {
    callId: "call",
    sessionId: "session",
    signal: new AbortController().signal,
    deadlineMs: Date.now() + 600_000,
    grant: { admits: () => true, mayKeep: () => true },
    observe: () => undefined,
  }
  return { ...createReader(session, call), ...createWriter(session, call) }
}
