import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What a page answers with. */
export interface ServedPage {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A page, or what makes one of a request. */
export type PageRoute = ServedPage | ((request: IncomingMessage, response: ServerResponse) => ServedPage | undefined)

/** A server on this machine. */
export interface PageServer {
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  readonly host: string
  /** Method and path of every request so far. */
  readonly requests: string[]
  readonly pages: Map<string, PageRoute>
  close(): Promise<void>
}

/** Starts a server of pages by path; a path that is not there is answered with 404. */
export async function startPageServer(pages: Readonly<Record<string, PageRoute>> = {}): Promise<PageServer> {
  const routes = new Map(Object.entries(pages))
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const route = routes.get(new URL(request.url ?? "/", "http://x").pathname)
    const page =
      typeof route === "function" ? route(request, response) : (route ?? { status: 404, body: "Nothing here" })
    if (page === undefined) return
    response.writeHead(page.status ?? 200, page.headers ?? { "content-type": "text/html; charset=utf-8" })
    response.end(page.body)
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${host}`,
    host,
    requests,
    pages: routes,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
