import { ToolError } from "@haft/contract"
import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { signInNeeded } from "./sign-in.js"

const longest = 400

/** The words for whatever the client of the protocol throws. Texts of authorization servers are not passed on. */
export function explainFailure(name: string, error: unknown): ToolError {
  const own = ownError(error)
  if (own) return own
  if (isUnauthorized(error)) return signInNeeded(name)
  if (error instanceof SdkHttpError && error.status === 403) {
    return failed(name, "denied", "it refuses access (HTTP 403)", "Check what the account may do there")
  }
  if (error instanceof SdkHttpError && error.status >= 400) return refused(name, error)
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return failed(name, "timeout", "it did not answer in time", "See whether it works: haft mcp test")
  }
  if (isClosed(error)) {
    return failed(name, "unavailable", "the connection was closed", "See why: haft mcp test")
  }
  if (error instanceof ProtocolError) {
    const words = `it answers with an error: ${short(error.message)}`
    // Many servers check arguments themselves, and it is the model that can mend them. What else it answers is about this call.
    const isAboutArguments = error.code === ProtocolErrorCode.InvalidParams
    return new ToolError("backend", `Cannot use the MCP server "${name}": ${words}`, {
      hint: isAboutArguments ? "Change the arguments as it says, or go on without it" : "Go on without this call",
    })
  }
  const words = error instanceof Error ? error.message : String(error)
  return failed(name, "backend", short(words), "See whether it works: haft mcp test")
}

/** Whether an error says that nobody is at the other end any more. */
export function isClosed(error: unknown): boolean {
  if (error instanceof SdkError) {
    const { code } = error
    return (
      code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected || code === SdkErrorCode.SendFailed
    )
  }
  // What a pipe without a reader says.
  return (
    error instanceof Error && ["EPIPE", "ERR_STREAM_DESTROYED"].includes((error as NodeJS.ErrnoException).code ?? "")
  )
}

/** A failure of ours that the client wrapped. */
function ownError(error: unknown): ToolError | undefined {
  let at: unknown = error
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    if (ToolError.is(at)) return at
    at = at.cause ?? (at as { data?: { cause?: unknown } }).data?.cause
  }
  return undefined
}

/** An answer of HTTP that is an error. A page for people is not passed on. */
function refused(name: string, { status, data: { text } }: SdkHttpError): ToolError {
  const said = typeof text !== "string" || /^\s*(<|$)/.test(text) ? "" : `: ${short(text)}`
  const fix = status === 404 ? "Check its address: haft mcp list" : "See whether it works: haft mcp test"
  return failed(name, status === 429 ? "rate_limited" : "backend", `it answers with HTTP ${status}${said}`, fix)
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401)
}

function failed(
  name: string,
  code: "denied" | "timeout" | "unavailable" | "backend" | "rate_limited",
  reason: string,
  fix?: string,
): ToolError {
  return new ToolError(code, `Cannot use the MCP server "${name}": ${reason}`, {
    hint: "Go on without this server",
    ...(fix !== undefined && { fix: fix.endsWith("haft mcp test") ? `${fix} ${name}` : fix }),
  })
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > longest ? `${line.slice(0, longest - 3)}...` : line
}
