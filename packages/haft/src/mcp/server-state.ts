import { createHash } from "node:crypto"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import type { Pin, SavedSignIn, SignInStore } from "@haft/mcp"
import { readTextFile } from "../config/read-text-file.js"
import { isPlainObject } from "../config/setting-value.js"
import { writePrivateFile } from "../config/write-private-file.js"

/** The file of the servers that the user trusts: beside the user's configuration, outside every workspace. */
export function userPinFile(configHome: string): string {
  return join(configHome, "mcp-trust.json")
}

/** The file of the servers that programs vouched for, as they were first seen. */
export function programPinFile(home: string): string {
  return join(home, "mcp", "seen.json")
}

/** The servers that were trusted, as they were then. */
export function readPins(file: string): readonly Pin[] {
  const text = readTextFile(file)
  if (text === undefined) return []
  const pins = parsed(text)
  if (pins) return pins
  throw new ToolError("not_configured", `Cannot use "${file}": it is not a file of trusted MCP servers`, {
    hint: "Remove it, and trust the servers again with: haft mcp trust NAME",
  })
}

/** Remembers a server in place of what was known about its name. */
export function savePin(file: string, pin: Pin): void {
  write(file, [...readPins(file).filter((other) => !isSame(other, pin)), pin])
}

/** Forgets a server; false when it was not trusted. */
export function removePin(file: string, server: Pick<Pin, "name" | "folder">): boolean {
  const pins = readPins(file)
  const kept = pins.filter((pin) => !isSame(pin, server))
  if (kept.length === pins.length) return false
  write(file, kept)
  return true
}

/** Where sign-ins are kept: one file a server in Haft's state, which the user alone may read. */
export function signInStore(home: string): SignInStore {
  const fileOf = (server: string) =>
    join(home, "mcp", `${createHash("sha256").update(server).digest("hex").slice(0, 32)}.json`)
  return {
    async load(server) {
      const text = readTextFile(fileOf(server))
      if (text === undefined) return undefined
      try {
        const value = JSON.parse(text) as unknown
        return isPlainObject(value) && typeof value.origin === "string" ? (value as unknown as SavedSignIn) : undefined
      } catch {
        // A damaged file is as good as none: the user signs in again.
        return undefined
      }
    },
    async save(server, saved) {
      writePrivateFile(fileOf(server), `${JSON.stringify(saved)}\n`)
    },
  }
}

function isSame(one: Pick<Pin, "name" | "folder">, other: Pick<Pin, "name" | "folder">): boolean {
  return one.name === other.name && one.folder === other.folder
}

function write(file: string, servers: readonly Pin[]): void {
  writePrivateFile(file, `${JSON.stringify({ servers }, null, 2)}\n`)
}

function parsed(text: string): readonly Pin[] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    if (!isPlainObject(value) || !Array.isArray(value.servers) || !value.servers.every(isPin)) return undefined
    return value.servers
  } catch {
    return undefined
  }
}

function isPin(value: unknown): value is Pin {
  if (!isPlainObject(value) || !isPlainObject(value.launch) || !Array.isArray(value.tools)) return false
  const isTool = (tool: unknown) =>
    isPlainObject(tool) && typeof tool.name === "string" && isPlainObject(tool.inputSchema)
  return typeof value.name === "string" && typeof value.digest === "string" && value.tools.every(isTool)
}
