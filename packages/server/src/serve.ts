import { once } from "node:events"
import type { Server } from "node:http"
import { bestEffort, type SessionEvent, ToolError } from "@haft/contract"
import { createAdaptorServer } from "@hono/node-server"
import { createApp } from "./app.js"
import type { LogLimits } from "./events/event-log.js"
import type { ServerHost } from "./host.js"
import { Page } from "./page.js"
import type { Inbox } from "./session/inbox.js"
import { OpenSessions } from "./session/open-sessions.js"

/** How a server is started. */
export interface ServeOptions {
  readonly host: ServerHost
  readonly inbox: Inbox
  /** 0 for any that is free. */
  readonly port: number
  readonly token: string
  readonly version: string
  /** The folder of the built page. */
  readonly page: string | undefined
  readonly limits?: Partial<LogLimits> | undefined
}

/** A server that listens. */
export interface RunningServer {
  readonly port: number
  /** The address with the token in its fragment, which browsers do not send. */
  readonly url: string
  readonly sessions: OpenSessions
  /** Takes an event of any session of this process. */
  hear(event: SessionEvent): void
  close(): Promise<void>
}

/** Serves one user on the loopback address: anyone who has the token is that user. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, inbox, token, version, page } = options
  const sessions = new OpenSessions(host.sessions, () => host.journal(), options.limits)
  const stopping = new AbortController()
  let port = options.port
  const app = createApp({
    ...{ host, sessions, inbox, token, version, page: new Page(page) },
    port: () => port,
    stopped: stopping.signal,
  })
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  // A head that does not end is no request; a call may wait for a person as long as it takes.
  server.headersTimeout = 10_000
  server.requestTimeout = 60_000
  server.timeout = 0
  port = await listen(server, port)
  void bestEffort("a session that cannot go on says so when it is opened", goOn(sessions, host))
  return {
    port,
    url: `http://127.0.0.1:${port}/#token=${token}`,
    sessions,
    hear(event) {
      inbox.hear(event)
      sessions.hear(event)
    },
    async close() {
      stopping.abort()
      const closed = once(server, "close")
      server.close()
      await sessions.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== "EADDRINUSE") throw new ToolError("backend", `Cannot listen on port ${port}: ${message}`)
    throw new ToolError("conflict", `Cannot listen on port ${port}: another program has it`, { details: { port } })
  }
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
}

/** Turns that an earlier server left open go on without anybody asking for it. */
async function goOn(sessions: OpenSessions, host: ServerHost): Promise<void> {
  for (const id of await host.sessions.left()) {
    await bestEffort("another process may drive it by now", sessions.drive(id))
  }
}
