import { existsSync, statSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { ToolError } from "@haft/contract"
import { readEntry } from "@haft/mcp"
import { setSetting } from "../../config/edit-config-file.js"
import { readTextFile } from "../../config/read-text-file.js"
import { isPlainObject } from "../../config/setting-value.js"
import { writeSharedFile } from "../../config/write-private-file.js"
import { configuredServers, sharedFile } from "../../mcp/configured-servers.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Invocation } from "../invocation.js"
import { note, printValue } from "../print.js"
import { type Setup, setUp } from "../setup.js"

/** `haft mcp add`: writes the entry of a server; nothing is started. */
export const run: Run = async (invocation, io) => {
  const [name, ...argv] = invocation.operands
  const setup = await setUp(invocation, io)
  const entry = entryOf(invocation, argv)
  // What cannot be used is refused here, and not at the next start.
  readEntry(name!, entry)
  const isShared = ["project", "local"].includes(invocation.text("scope") ?? "user")
  const file = isShared ? join(setup.roots[0]!, sharedFile) : setup.places.userFile
  const shared = isShared ? sharedIn(file) : {}
  const before = isShared ? shared.mcpServers?.[name!] : ofUser(setup, name!)
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(entry)) throw taken(name!, file)
  if (before === undefined && isShared) {
    const value = { ...shared, mcpServers: { ...shared.mcpServers, [name!]: entry } }
    writeSharedFile(file, `${JSON.stringify(value, null, 2)}\n`)
  } else if (before === undefined) setSetting({ path: file, scope: "user" }, `mcpServers.${name}`, entry)
  printValue(invocation, io, { name, file, entry }, ({ say }) => say`${name} in ${file}`)
  const isTrusted = configuredServers(setup).some((server) => server.name === name && server.state === "trusted")
  if (!isTrusted) note(invocation, io, `It runs once you trust it: haft mcp trust ${name}`)
  return exitCodes.ok
}

/** What the user's own configuration has under that name. */
function ofUser({ configuration }: Setup, name: string): unknown {
  const entries = configuration.layers.flatMap((layer) => (layer.scope === "user" ? layer.entries : []))
  return entries.find(({ key }) => key === `mcpServers.${name}`)?.value
}

function taken(name: string, file: string): ToolError {
  return new ToolError("conflict", `Cannot add "${name}": another server of that name is in ${file}`, {
    hint: `Take it out first, or choose another name: haft mcp remove ${name}`,
  })
}

function entryOf(invocation: Invocation, [command, ...args]: readonly string[]): Readonly<Record<string, unknown>> {
  const url = invocation.text("url")
  if (url !== undefined && command !== undefined) {
    throw new ToolError("invalid_args", "Cannot add a server that has an address and a command", {
      hint: "Give --url, or a command after --",
    })
  }
  if (url !== undefined) return { type: "http", url, ...pairs("headers", invocation.list("header"), ":") }
  if (command === undefined) {
    throw new ToolError("invalid_args", "Cannot add a server: say its command or its address", {
      hint: "As in: haft mcp add memory -- mcp-server-memory, or: haft mcp add docs --url https://docs.example/mcp",
    })
  }
  const net = invocation.list("grant-net")
  const workspace = invocation.text("workspace")
  const readable = [...new Set([...invocation.list("readable"), ...[command, ...args].flatMap(installFolder)])]
  return {
    command,
    ...(args.length > 0 && { args }),
    ...pairs("env", invocation.list("env"), "="),
    ...(net.length > 0 && { net }),
    ...(workspace !== undefined && { workspace }),
    ...(readable.length > 0 && { readable }),
  }
}

/** `NAME=VALUE` as a pair; a name alone takes the variable of that name. */
function pairs(key: string, words: readonly string[], sign: string): Readonly<Record<string, unknown>> {
  if (words.length === 0) return {}
  const found = words.map((word) => {
    const at = word.indexOf(sign)
    return at === -1 ? [word, `\${${word}}`] : [word.slice(0, at).trim(), word.slice(at + 1).trim()]
  })
  return { [key]: Object.fromEntries(found) }
}

/** Where a script that is named by its path is installed: a sandbox shows only what is named. */
function installFolder(word: string): readonly string[] {
  if (!isAbsolute(word) || !existsSync(word) || !statSync(word).isFile()) return []
  if (/^\/(?:usr|bin|sbin|opt|lib)\//.test(word)) return []
  const modules = word.indexOf("/node_modules/")
  return [modules === -1 ? dirname(word) : word.slice(0, modules + "/node_modules".length)]
}

function sharedIn(file: string): { readonly mcpServers?: Readonly<Record<string, unknown>> } {
  const wrong = (what: string) =>
    new ToolError("not_configured", `Cannot write "${file}": what is there is ${what}`, {
      hint: "Correct the file first",
    })
  try {
    const value: unknown = JSON.parse(readTextFile(file) ?? "{}")
    if (isPlainObject(value) && isPlainObject(value.mcpServers ?? {})) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw wrong("no JSON")
  }
  throw wrong('no object with "mcpServers"')
}
