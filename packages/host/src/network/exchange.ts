import type { Readable } from "node:stream"
import { type Connection, type Connections, loadClient, type OpenOptions, openConnection } from "./connections.js"
import type { Step } from "./failure.js"
import type { JudgedHop } from "./judge-hop.js"
import { proxyHeaders } from "./upstream-tunnels.js"

/** The beginning of an answer; its body is still to come. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Readable
  /** Lets the connection wait for the next request; only after the whole body was read. */
  keep(): void
  /** Ends the connection, wherever the body is. */
  drop(): void
}

/** Sends one request over a connection of its own, or over one that waited. */
export async function exchange(
  hop: JudgedHop,
  step: Step,
  options: OpenOptions & { readonly connections: Connections },
): Promise<Answer> {
  // Looking a name up cannot be interrupted, so the request may have been given up meanwhile.
  options.signal.throwIfAborted()
  // Only what may be sent twice goes over a connection that the other side may be closing this very moment.
  const mayRepeat = repeatable.has(step.method) && step.body === undefined
  const waiting = mayRepeat ? options.connections.take(hop) : undefined
  if (!waiting) return send(hop, step, await openConnection(hop, options), options)
  options.onContact()
  try {
    return await send(hop, step, waiting, options)
  } catch (error) {
    if (options.signal.aborted || !isLost(error)) throw error
    return send(hop, step, await openConnection(hop, { ...options, onContact: () => undefined }), options)
  }
}

const repeatable = new Set(["GET", "HEAD", "OPTIONS"])

async function send(
  hop: JudgedHop,
  step: Step,
  connection: Connection,
  { signal, connections }: { readonly signal: AbortSignal; readonly connections: Connections },
): Promise<Answer> {
  const drop = () => connections.drop(connection)
  try {
    const { request } = await loadClient()
    const reply = await request.call(connection.client, {
      method: step.method as "GET",
      path: pathOf(hop),
      headers: [...step.headers, ...(isForwarded(hop) ? proxyHeaders(hop.proxy!) : [])].flat(),
      body: step.body ?? null,
      signal,
      responseHeaders: "raw",
    })
    // Its reader gets the failure; when nobody reads it, nobody needs to.
    reply.body.on("error", () => undefined)
    const headers = joined(reply.headers as unknown as readonly string[])
    const closes = /\bclose\b/i.test(headers.get("connection") ?? "")
    return {
      status: reply.statusCode,
      statusText: reply.statusText.slice(0, 200),
      headers,
      body: reply.body,
      keep: () => (closes ? drop() : connections.keep(hop, connection)),
      drop,
    }
  } catch (error) {
    drop()
    throw error
  }
}

/** Whether the request itself goes to the proxy, which sends it on. */
function isForwarded({ target, proxy }: JudgedHop): boolean {
  return proxy?.kind === "http" && !target.isSecure
}

function pathOf(hop: JudgedHop): string {
  const { url } = hop.target
  return isForwarded(hop) ? url.href : `${url.pathname}${url.search}`
}

function isLost(error: unknown): boolean {
  const { code } = error as { readonly code?: string }
  return code === "UND_ERR_SOCKET" || code === "UND_ERR_INFO" || code === "ECONNRESET" || code === "EPIPE"
}

function joined(raw: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? raw[at + 1]! : `${before}, ${raw[at + 1]}`)
  }
  return headers
}
