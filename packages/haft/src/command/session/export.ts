import { once } from "node:events"
import { open } from "node:fs/promises"
import { resolve } from "node:path"
import { ToolError } from "@haft/contract"
import { sessionNamed } from "../../library/branch-session.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Io } from "../io.js"
import { note } from "../print.js"
import { withStore } from "./with-store.js"

/** `haft session export`: a session as JSON lines, secrets taken out. */
export const run: Run = async (invocation, io) => {
  await withStore(invocation, io, async (store, { roots }) => {
    const session = await sessionNamed(store, invocation.operands[0]!, roots)
    const output = invocation.text("output")
    const lines = store.exportLines(session.id)
    if (output === undefined || output === "-") await toStream(lines, io)
    else note(invocation, io, `${await toFile(lines, resolve(io.cwd, output))} lines in ${output}`)
  })
  return exitCodes.ok
}

async function toStream(lines: AsyncIterable<string>, { stdout }: Io): Promise<void> {
  for await (const line of lines) if (!stdout.write(`${line.trimEnd()}\n`)) await once(stdout, "drain")
}

/** Records may hold what only the user should read; an existing file is not overwritten by accident. */
async function toFile(lines: AsyncIterable<string>, path: string): Promise<number> {
  try {
    const file = await open(path, "wx", 0o600)
    let count = 0
    try {
      for await (const line of lines) {
        await file.writeFile(`${line.trimEnd()}\n`)
        count++
      }
    } finally {
      await file.close()
    }
    return count
  } catch (error) {
    if (ToolError.is(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    const reason = code === "EEXIST" ? "the file exists already; choose another name" : String(code ?? error)
    throw new ToolError("backend", `Cannot write "${path}": ${reason}`, { cause: error })
  }
}
