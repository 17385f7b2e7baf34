import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readLine, type Terminal } from "./keyboard.js"
import { visibleLine } from "./visible.js"

/** Lets the person change the arguments, in their editor or on a line. Undefined: they gave up. */
export async function editArguments(terminal: Terminal, current: unknown, signal: AbortSignal): Promise<unknown> {
  const editor = terminal.env.VISUAL || terminal.env.EDITOR
  let text: string | undefined
  for (;;) {
    // An editor needs the real terminal, not a stream that stands for one.
    text =
      editor && terminal.stdin === process.stdin
        ? await inEditor(terminal, editor, text ?? `${JSON.stringify(current, null, 2)}\n`)
        : await readLine(terminal, "Arguments: ", signal, text ?? JSON.stringify(current))
    if (text === undefined || text.trim() === "") return undefined
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      terminal.stderr.write(`Not JSON: ${(error as Error).message}\n`)
      if (editor && (await readLine(terminal, "Enter edits again, anything else gives up: ", signal)) !== "")
        return undefined
    }
  }
}

async function inEditor(terminal: Terminal, editor: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "haft-edit-"))
  try {
    const file = join(folder, "arguments.json")
    await writeFile(file, text, { mode: 0o600 })
    const [program, ...rest] = editor.split(" ").filter(Boolean)
    const failure = await new Promise<string | undefined>((resolve) => {
      const child = spawn(program!, [...rest, file], { stdio: "inherit" })
      child.on("error", (error) => resolve(error.message))
      child.on("close", (code) => resolve(code === 0 ? undefined : `it ended with code ${code}`))
    })
    if (failure === undefined) return await readFile(file, "utf8")
    terminal.stderr.write(`Cannot edit with "${visibleLine(editor)}": ${visibleLine(failure)}; set VISUAL or EDITOR\n`)
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
