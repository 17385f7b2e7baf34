import { randomUUID } from "node:crypto"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { type ProtocolServerOptions, protocolServer } from "../protocol-server.js"
import { ServedSession } from "../served-session.js"
import { IdleMap } from "./idle-map.js"
import { maxBodyBytes, maxSessions, sessionIdleMs } from "./limits.js"

interface Connected {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly session: ServedSession
}

/** Clients of the revisions before 2026: a handshake opens a session, whose id is in a header from then on. */
export class HandshakeSessions {
  private readonly sessions: IdleMap<Connected>

  constructor(private readonly options: Omit<ProtocolServerOptions, "sessionOf">) {
    this.sessions = new IdleMap<Connected>({
      most: maxSessions,
      idleMs: sessionIdleMs,
      isBusy: ({ session }) => session.isBusy,
      close: async ({ transport, session }) => {
        await transport.close()
        await session.close()
      },
    })
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id")
    if (id === null) return this.connect(request)
    const connected = this.sessions.get(id)
    return (
      connected?.transport.handleRequest(request) ?? problem(404, -32001, "Session not found: begin with initialize")
    )
  }

  /** Keeps a session while a request of it, or a stream, is open. */
  enter(id: string): () => void {
    return this.sessions.enter(id)
  }

  close(): Promise<void> {
    return this.sessions.close()
  }

  private async connect(request: Request): Promise<Response> {
    if (!this.sessions.hasRoom()) return problem(503, -32000, "Too many sessions are open")
    const session = new ServedSession(this.options.host)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => this.sessions.add(id, { transport, session }),
      onsessionclosed: (id) => this.sessions.remove(id),
    })
    await protocolServer({ ...this.options, sessionOf: () => session }).connect(transport)
    return transport.handleRequest(request)
  }
}

/** An answer of HTTP with an error of the protocol in it. */
function problem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status })
}
