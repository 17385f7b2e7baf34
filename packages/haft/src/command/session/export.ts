import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { resolve } from "node:path"
import { ToolError } from "@haft/contract"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { note } from "../print.js"
import { sessionNamed, withStore } from "./with-store.js"

/** `haft session export`: a session as JSON lines, secrets taken out. */
export const run: Run = async (invocation, io) => {
  await withStore(invocation, io, async (store) => {
    const session = await sessionNamed(store, invocation.operands[0]!)
    const target = targetOf(invocation, io)
    let lines = 0
    for await (const line of store.exportLines(session.id)) {
      lines++
      if (!target.stream.write(line.endsWith("\n") ? line : `${line}\n`)) await once(target.stream, "drain")
    }
    await target.end()
    if (target.path) note(invocation, io, `${lines} lines in ${target.path}`)
  })
  return exitCodes.ok
}

interface Target {
  readonly stream: NodeJS.WritableStream
  readonly path?: string
  end(): Promise<void>
}

function targetOf(invocation: Invocation, io: Io): Target {
  const output = invocation.text("output")
  if (output === undefined || output === "-") return { stream: io.stdout, end: async () => undefined }
  const path = resolve(io.cwd, output)
  // Records may hold what only the user should read; an existing file is not overwritten by accident.
  const stream = createWriteStream(path, { mode: 0o600, flags: "wx" })
  const failed = once(stream, "error").then(([error]: NodeJS.ErrnoException[]) => {
    const reason = error?.code === "EEXIST" ? "the file exists already" : String(error?.code ?? error)
    throw new ToolError("backend", `Cannot write "${path}": ${reason}`)
  })
  failed.catch(() => undefined)
  return {
    stream,
    path,
    end: () => Promise.race([failed, new Promise<void>((done) => stream.end(done))]),
  }
}
