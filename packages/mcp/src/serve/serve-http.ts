import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { ToolError } from "@haft/contract"
import { toNodeHandler } from "@modelcontextprotocol/node"
import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server"
import type { ServeHost } from "./host.js"
import { refusalOf } from "./http/admission.js"
import { HandshakeSessions } from "./http/handshake-sessions.js"
import { IdleMap } from "./http/idle-map.js"
import { maxBodyBytes, maxConnections, maxSessions, sessionIdleMs } from "./http/limits.js"
import { answerStates, protocolServer } from "./protocol-server.js"
import { ServedSession } from "./served-session.js"

/** A server that listens. */
export interface HttpServer {
  readonly url: string
  /** Ends every session and stops listening. */
  close(): Promise<void>
}

/** Serves clients over streamable HTTP on this machine alone; each needs the token. */
export async function serveHttp(
  host: ServeHost,
  { port, token }: { readonly port: number; readonly token: string },
): Promise<HttpServer> {
  const shared = { host, state: answerStates(), onerror: () => undefined }
  const handshakes = new HandshakeSessions(shared)
  const clients = new ClientSessions(host)
  const modern = createMcpHandler(() => protocolServer({ ...shared, sessionOf: (context) => clients.of(context) }), {
    legacy: "reject",
    maxRequestBodySize: maxBodyBytes,
  })
  const fetch = async (request: Request) =>
    (await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes }))
      ? handshakes.fetch(request)
      : modern.fetch(request)
  const handle = toNodeHandler(
    { fetch },
    { maxRequestBodySize: maxBodyBytes, onerror: (error) => host.note(error.message) },
  )
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, token)
    if (refusal) return refuse(request, response, refusal.status, refusal.message)
    response.once("close", handshakes.enter(String(request.headers["mcp-session-id"] ?? "")))
    void handle(request, response)
  })
  server.maxConnections = maxConnections
  await listen(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([handshakes.close(), modern.close(), clients.close()])
      server.closeAllConnections()
      await closed
    },
  }
}

/** Clients of the revision of 2026, which has no sessions: one for each name of a client, or the one that a request names. */
class ClientSessions {
  private readonly sessions: IdleMap<ServedSession>

  constructor(private readonly host: ServeHost) {
    this.sessions = new IdleMap<ServedSession>({
      most: maxSessions,
      idleMs: sessionIdleMs,
      isBusy: (session) => session.isBusy,
      close: (session) => session.close(),
    })
  }

  of(context: ServerContext): ServedSession {
    const key = sessionKey(context)
    const known = this.sessions.get(key)
    if (known) return known
    if (!this.sessions.hasRoom()) throw new ProtocolError(ProtocolErrorCode.InternalError, "Too many sessions are open")
    const session = new ServedSession(this.host)
    this.sessions.add(key, session)
    return session
  }

  close(): Promise<void> {
    return this.sessions.close()
  }
}

/** The name of a session in `_meta`, for a client that wants more than one. */
const sessionMetaKey = "haft/session"
const longestName = 200

function sessionKey({ mcpReq: { envelope, _meta } }: ServerContext): string {
  const info = (envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY]
  const { name } = (info ?? {}) as { readonly name?: unknown }
  return [name, _meta?.[sessionMetaKey]].map((part) => String(part ?? "").slice(0, longestName)).join("\0")
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  request.resume()
  response.writeHead(status, {
    "content-type": "application/json",
    connection: "close",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  })
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }))
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "another program listens there" : error.message
      const hint = "Choose another port; 0 takes one that is free"
      reject(new ToolError("unavailable", `Cannot listen on port ${port}: ${reason}`, { hint }))
    })
    server.listen(port, "127.0.0.1", resolve)
  })
}
