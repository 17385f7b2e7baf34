import { ToolError } from "@haft/contract"
import type { ServerEntry } from "./entry/server-entry.js"

/** A call came while a lost server is not back. */
export function notConnected({ name }: ServerEntry, reason: ToolError): ToolError {
  const words = reason.message.replace(/^Cannot use the MCP server "[^"]*": /, "")
  return new ToolError(
    "unavailable",
    `Cannot use the MCP server "${name}": it is not connected, because ${words}; it is tried again by itself`,
    {
      hint: "Go on without it, or try again later",
      fix: reason.fix ?? `See why with: haft mcp test ${name}`,
      cause: reason,
    },
  )
}

/** A server was silent for longer than a call may wait. */
export function tooSlow({ name, callTimeoutMs }: ServerEntry): ToolError {
  return new ToolError(
    "timeout",
    `Cannot go on with the MCP server "${name}": it neither answered nor reported progress for ${callTimeoutMs} ms`,
    {
      hint: "Ask it for less, or go on without it",
      fix: 'Give it more time with "callTimeoutMs" in its entry',
    },
  )
}

/** A server, or one of its tools, is not what was trusted. */
export function withdrawn({ name }: ServerEntry, what: string, words: string): ToolError {
  return new ToolError(
    "denied",
    `Cannot use ${what === "it" ? "" : `${what} of `}the MCP server "${name}": it is trusted no more, because ${words}`,
    {
      hint: "Go on without it, and tell the user that it changed",
      fix: `Look at it, and trust it again with: haft mcp trust ${name}`,
      details: { server: name, reason: "SERVER_CHANGED", change: words },
    },
  )
}
