import { existsSync } from "node:fs"
import { basename, dirname, isAbsolute, resolve } from "node:path"
import { isInside, ToolError } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { Say } from "@haft/language"
import type { Pin, ServerEntry } from "@haft/mcp"
import { removePin, savePin, userPinFile } from "../../mcp/server-state.js"
import { columns, fold, widthOf } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Io } from "../io.js"
import { openHaft } from "../open-haft.js"
import { printValue } from "../print.js"
import { openBrowser } from "./browser.js"
import { serverNamed } from "./server-named.js"

type ProgramEntry = Extract<ServerEntry, { kind: "stdio" }>

/** `haft mcp trust`: a person sees how a server is started, then what it offers, and says yes to both. */
export const run: Run = async (invocation, io) => {
  const { haft, setup } = await openHaft(invocation, io, { touchesFiles: false, journal: false })
  const file = userPinFile(setup.places.configHome)
  try {
    const { name, entry, reason, pin } = serverNamed(invocation.operands[0]!, setup)
    if (invocation.flag("remove")) {
      const removed = removePin(file, { name, ...(entry?.folder !== undefined && { folder: entry.folder }) })
      printValue(invocation, io, { name, removed }, ({ say }) =>
        removed ? say`no longer trusted: ${name}` : say`was not trusted: ${name}`,
      )
      return exitCodes.ok
    }
    if (!entry) throw new ToolError("not_configured", reason ?? `Cannot use "${name}"`)
    const words = launchWords(entry, reason, { say: invocation.say, width: io.stderr.columns || 80 })
    io.stderr.write(`${words}\n`)
    const { say } = invocation
    const isProgram = entry.kind === "stdio"
    await confirm(
      io,
      isProgram
        ? say`Start it and look at its tools? Type yes: `
        : say`Ask it at that address for its tools? Type yes: `,
    )
    const signal = io.signal ?? new AbortController().signal
    const browser = !isProgram ? await openBrowser({ io, say: invocation.say }, signal) : undefined
    const found = await haft
      .inspectServer({ entry, signal, ...(browser && { browser }) })
      .catch((error: unknown) => {
        throw withStep(entry, error)
      })
      .finally(() => browser?.close())
    io.stderr.write(`${toolWords(found.pin, found.problems, invocation.say)}\n`)
    const { length } = found.pin.tools
    await confirm(
      io,
      length === 1
        ? say`Trust this tool as it is? Type yes: `
        : say`Trust these ${length} tools as they are? Type yes: `,
    )
    savePin(file, found.pin)
    const { digest, tools } = found.pin
    printValue(
      invocation,
      io,
      { name, trusted: true, digest, tools: tools.map((tool) => tool.name), was: pin?.digest ?? null },
      ({ say }) => say`trusted: ${name}`,
    )
    return exitCodes.ok
  } finally {
    await haft.close()
  }
}

/** The next step of a person whose server does not work yet: it cannot be tested before it is trusted. */
function withStep(entry: ServerEntry, error: unknown): unknown {
  if (!ToolError.is(error) || error.code === "cancelled") return error
  const { code, message, fix } = error
  const isProgram = entry.kind === "stdio"
  const hidden = isProgram ? hiddenFile(entry, message) : undefined
  const again = `then run: haft mcp trust ${entry.name}`
  if (hidden !== undefined) {
    const shown = `"readable": [${JSON.stringify(dirname(hidden))}]`
    const step = `It does not see ${quoted(hidden)}: name that path and ${shown} in its entry, ${again}`
    return new ToolError(code, message, { cause: error, fix: step })
  }
  const leadsAway = fix === undefined ? isProgram : /\bmcp test\b/.test(String(fix))
  if (!leadsAway) return error
  return new ToolError(code, message, { cause: error, fix: `Repair the server or its entry, ${again}` })
}

/** A file of the command line that is there and that the program misses: a sandbox shows it only what its entry names. */
function hiddenFile({ folder, command, args, readable }: ProgramEntry, message: string): string | undefined {
  if (!/cannot find|can't open|no such file|not found|ENOENT/i.test(message)) return undefined
  const named = [command, ...args].filter((word) => word.includes("/") && message.includes(basename(word)))
  const isSeen = (word: string) => isAbsolute(word) && readable.some((path) => isInside(word, path))
  return named.map((word) => (isSeen(word) ? "" : resolve(folder ?? "/", word))).find((path) => existsSync(path))
}

// More would push what comes first out of sight.
const mostLines = 100

/** All that the trust is about, uncut and in quotes: nothing hides behind a long value, or looks like another one. */
function launchWords(
  entry: ServerEntry,
  reason: string | undefined,
  { say, width }: { readonly say: Say; readonly width: number },
): string {
  const rows: readonly (readonly [string, readonly string[]])[] =
    entry.kind === "http"
      ? [
          [say`address`, [quoted(entry.url)]],
          [say`headers`, given(entry, entry.headers)],
          [say`sign-in`, given(entry, entry.oauth)],
        ]
      : [
          [say`command`, [[entry.command, ...entry.args].map(quoted).join(" ")]],
          [say`variables`, given(entry, entry.env)],
          [say`workspace`, [entry.workspace]],
          [say`hosts`, entry.net.map(quoted)],
          [say`reads`, entry.readable.map(quoted)],
        ]
  const keyWidth = Math.max(...rows.map(([key]) => widthOf(key))) + 4
  const shown = rows.flatMap(([key, values]) =>
    values.flatMap((value) =>
      // A value that takes several lines never begins where a key does.
      fold(visibleLine(value, Number.POSITIVE_INFINITY), Math.max(20, width - keyWidth)).map((line, index) => [
        index === 0 ? `  ${key}` : "",
        line,
      ]),
    ),
  )
  // In the user's own configuration it is the user's own text.
  if (entry.folder !== undefined && shown.length > mostLines) throw tooLong(entry.name)
  return [
    say`MCP server ${entry.name}`,
    columns(shown),
    ...(reason === undefined ? [] : [visibleLine(say(reason), Number.POSITIVE_INFINITY)]),
  ].join("\n")
}

function tooLong(name: string): ToolError {
  return new ToolError(
    "not_configured",
    `Cannot trust the MCP server "${name}": its entry takes more than ${mostLines} lines, too many to look through`,
    { hint: `Shorten its entry, then run: haft mcp trust ${name}` },
  )
}

/** In the user's own configuration values are the user's secrets; in a file of a folder they are somebody else's words. */
function given({ folder }: ServerEntry, values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([name, text]) =>
    folder === undefined ? quoted(name) : `${quoted(name)}=${JSON.stringify(text)}`,
  )
}

/** In quotes, unless where it ends is clear. */
function quoted(text: string): string {
  return /^[\w@%+:,./?&#~-]+$/.test(text) ? text : JSON.stringify(text)
}

function toolWords({ tools }: Pin, problems: readonly string[], say: Say): string {
  const rows = tools.map(({ name, description, annotations }) => [
    `  ${visibleLine(name)}`,
    annotations?.destructiveHint ? say`destroys` : "",
    visibleLine(description.replace(/\s+/g, " "), 160),
  ])
  return [say`It offers:`, columns(rows), ...problems.map((problem) => visibleLine(say(problem)))].join("\n")
}

/** Trust is a person's own act: nothing but a terminal can give it. */
async function confirm(io: Io, question: string): Promise<void> {
  if (!io.stderr.isTTY || !io.stdin.isTTY) {
    throw new ToolError("denied", "Cannot trust a server without a person: this is not a terminal", {
      hint: "Run haft mcp trust in a terminal",
    })
  }
  const { discardTyped, readLine } = await import("../../terminal/keyboard.js")
  const signal = io.signal ?? new AbortController().signal
  await discardTyped(io, signal)
  const answer = await readLine(io, question, signal)
  if (answer?.trim().toLowerCase() !== "yes")
    throw new ToolError("denied", "Cannot trust the server: it was not confirmed")
}
