import type { Readable, Writable } from "node:stream"
import { attach } from "./acp/attach.js"
import { editorConfig } from "./acp/editor-config.js"
import { createEditorHost } from "./acp/editor-host.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import { limitsOf } from "./open-agent.js"
import { ownCommand } from "./own-command.js"

/** `haft acp`: an agent for an editor, on standard input and output. Only frames of the protocol go to standard output. */
export const run: Run = async (invocation, io) => {
  const editor = invocation.text("print-config")
  if (editor !== undefined) {
    io.stdout.write(editorConfig(editor, invocation.list("root"), ownCommand(io.env)))
    return exitCodes.ok
  }
  const socket = invocation.text("attach")
  if (socket !== undefined) return attach(socket, io)
  const { serveEditor } = await import("@haft/acp")
  const script = process.argv[1]
  await serveEditor({
    host: createEditorHost(invocation, io, limitsOf(invocation)),
    input: io.stdin as Readable,
    output: io.stdout as unknown as Writable,
    ...(script !== undefined && {
      viewer: (path) => ({ command: process.execPath, args: [script, "acp", "--attach", path] }),
    }),
    ...(io.signal && { signal: io.signal }),
  })
  return io.signal?.aborted ? exitCodes.interrupted : exitCodes.ok
}
