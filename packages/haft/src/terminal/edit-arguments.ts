import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { canonicalJson, ToolError } from "@haft/contract"
import { replaceHidden, visibleLine } from "@haft/guard"
import { readKey, readLine, type Terminal } from "./keyboard.js"
import type { Style } from "./style.js"

/** Lets the person change the arguments, in their editor or on a line. Undefined: they left it, or changed nothing. */
export async function editArguments(
  { terminal, style }: { readonly terminal: Terminal; readonly style: Style },
  current: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { say } = style
  const editor = terminal.env.VISUAL || terminal.env.EDITOR
  let text = editor ? `${json(current, 2)}\n` : json(current)
  for (;;) {
    const edited = editor
      ? await inEditor(terminal, { editor, text, style }, signal)
      : await readLine(terminal, say`Arguments: `, signal, text)
    if (edited === undefined || edited.trim() === "") return undefined
    try {
      const value = JSON.parse(edited) as unknown
      return canonicalJson(value) === canonicalJson(current) ? undefined : value
    } catch (error) {
      terminal.stderr.write(
        `${say`Not JSON: ${visibleLine((error as Error).message)}`}\n  e  ${say`edit again`}   Esc  ${say`back`}\n`,
      )
      if ((await readKey(terminal, signal)) !== "e") return undefined
      text = edited
    }
  }
}

/** JSON in which every character can be seen; what could steer a terminal is written as an escape, which means the same. */
function json(value: unknown, indent = 0): string {
  return replaceHidden(JSON.stringify(value, null, indent), (code) =>
    String.fromCodePoint(code)
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  )
}

async function inEditor(
  terminal: Terminal,
  { editor, text, style: { say } }: { readonly editor: string; readonly text: string; readonly style: Style },
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "haft-edit-"))
  try {
    const file = join(folder, "arguments.json")
    await writeFile(file, text, { mode: 0o600 })
    const failure = await runEditor(editor, file, signal)
    if (failure === undefined) return await readFile(file, "utf8")
    terminal.stderr.write(
      `${say`Cannot edit with "${visibleLine(editor)}": ${visibleLine(say(failure))}; set VISUAL or EDITOR`}\n`,
    )
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Why the editor failed. It has the terminal on every side: standard output is for data, and standard input may be a pipe. */
function runEditor(editor: string, file: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const keyboard = openTerminal()
    // Through a shell, as git does it: the variable may hold options and quotes.
    const child = spawn("sh", ["-c", `${editor} "$@"`, editor, file], { stdio: [keyboard ?? "inherit", 2, 2], signal })
    if (keyboard !== undefined) closeSync(keyboard)
    child.on("error", (error) => {
      if (signal.aborted) reject(new ToolError("cancelled", "Cannot go on: it was interrupted"))
      else resolve(error.message)
    })
    child.on("close", (code, killedBy) => {
      if (code === 0) resolve(undefined)
      else resolve(killedBy === null ? `it ended with code ${code}` : `it was ended by ${killedBy}`)
    })
  })
}

function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", "r+")
  } catch {
    return undefined
  }
}
