import { resolve } from "node:path"
import { ToolError } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { Say } from "@haft/language"
import { findPlaces } from "../config/places.js"
import { columns } from "../terminal/columns.js"
import { folderIdentity } from "../trust/folder-identity.js"
import { skillWidenings } from "../trust/skill-trust.js"
import { readTrust, removeTrust, saveTrust } from "../trust/trust-store.js"
import { type Widening, widenings } from "../trust/widenings.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import { type Io, managedFile } from "./io.js"
import { printRows, printValue } from "./print.js"
import { type Setup, setUp } from "./setup.js"

/** `haft trust`: shows what a folder's files would widen, and takes it when the person at the terminal says so. */
export const run: Run = async (invocation, io) => {
  const places = findPlaces(io.env, io.cwd, io.managedFile ?? managedFile)
  if (invocation.flag("list")) return list(invocation, io, places.configHome)
  const folder = folderIdentity(resolve(io.cwd, invocation.operands[0] ?? "."))
  if (invocation.flag("remove")) {
    const removed = removeTrust(places.configHome, folder.path)
    printValue(invocation, io, { folder: folder.path, removed }, ({ say }) =>
      removed ? say`no longer trusted: ${folder.path}` : say`was not trusted: ${folder.path}`,
    )
    return exitCodes.ok
  }
  const setup = await setUp({ ...invocation, list: () => [folder.path], quiet: true }, io)
  const entries = [...widenings(setup.configuration), ...(await skillEntries(setup))]
  const shown = entries.map(({ source, words, active }) => ({ source, words, active }))
  io.stderr.write(`${question(folder.path, shown, invocation.say)}\n`)
  await confirm(io, invocation.say)
  saveTrust(places.configHome, { ...folder, entries: entries.map(({ hash }) => hash), at: Date.now() })
  printValue(
    invocation,
    io,
    { folder: folder.path, trusted: true, entries: shown },
    ({ say }) => say`trusted: ${folder.path}`,
  )
  return exitCodes.ok
}

async function skillEntries(setup: Setup): Promise<readonly Widening[]> {
  const { skillsHere } = await import("./skill/skills-here.js")
  // Shown with all their tools: trusting them is what is asked about.
  return skillWidenings(await skillsHere(setup, { trusted: true }).list(), setup.configuration)
}

function list(invocation: Invocation, io: Io, configHome: string): number {
  const folders = readTrust(configHome)
  printRows(invocation, io, folders, ({ say }) =>
    folders.length === 0
      ? say`No folder is trusted; trust this one with: haft trust`
      : columns(
          folders.map(({ path, entries, at }) => [path, say`${entries.length} entries`, new Date(at).toISOString()]),
        ),
  )
  return exitCodes.ok
}

function question(
  folder: string,
  entries: readonly { source: string; words: string; active: boolean }[],
  say: Say,
): string {
  if (entries.length === 0)
    return `${folder}\n${say`Its files widen nothing now; what they add later will be shown again.`}`
  const rows = entries.map(({ source, words, active }) => [
    `  ${visibleLine(source)}`,
    visibleLine(say(words)),
    active ? "" : say`new`,
  ])
  return `${folder}\n${say`Its files would widen what is allowed:`}\n${columns(rows)}`
}

/** Trust is a person's own act: nothing but a terminal can give it. */
async function confirm(io: Io, say: Say): Promise<void> {
  if (!io.stderr.isTTY || !io.stdin.isTTY) {
    throw new ToolError("denied", "Cannot trust a folder without a person: this is not a terminal", {
      hint: "Run haft trust in a terminal",
    })
  }
  const { discardTyped, readLine } = await import("../terminal/keyboard.js")
  const signal = io.signal ?? new AbortController().signal
  await discardTyped(io, signal)
  const answer = await readLine(io, say`Trust this folder? Type yes: `, signal)
  if (answer?.trim().toLowerCase() !== "yes")
    throw new ToolError("denied", "Cannot trust the folder: it was not confirmed")
}
