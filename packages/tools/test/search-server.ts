import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type ProviderId, providerIds } from "../src/web/shared/search/provider-id.js"
import { type AnswerForms, answerForms, type PageRow } from "./search-pages.js"

/** A request that a provider got. */
export interface SeenRequest {
  readonly provider: ProviderId
  readonly query: string
  readonly address: URL
  readonly method: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A server on this machine that speaks for every provider. */
export interface SearchServer {
  readonly host: string
  /** Base URL of every provider, as a user would configure it. */
  readonly endpoints: Readonly<Record<ProviderId, string>>
  readonly requests: readonly SeenRequest[]
  /** Resolves when so many requests have come in. */
  requestsCame(count: number): Promise<void>
  /** Lets go of the requests whose query is `held`. */
  release(): void
  /** Rows for a query, instead of the usual five. */
  rows: ((query: string, provider: ProviderId) => readonly PageRow[]) | undefined
  close(): Promise<void>
}

/**
 * Starts it. A query says what the provider does: `nothing`, `captcha`, `malformed`, `held` (until released or closed),
 * `status N`, `reset`; all others are found.
 */
export async function startSearchServer(): Promise<SearchServer> {
  const requests: SeenRequest[] = []
  const arrivals = new Set<() => void>()
  let held: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const seen = await readRequest(request)
    requests.push(seen)
    for (const notify of arrivals) notify()
    if (seen.query.startsWith("held")) await new Promise<void>((go) => void held.push(go))
    answer(seen, response, searchServer.rows ?? usualRows)
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const release = () => {
    for (const go of held) go()
    held = []
  }
  const searchServer: SearchServer = {
    host,
    endpoints: Object.fromEntries(
      providerIds.map((id) => [id, `http://${host}/${id}${id === "google" ? "?cx=engine" : ""}`]),
    ) as Record<ProviderId, string>,
    requests,
    requestsCame: (count) =>
      new Promise((done) => {
        const check = () => {
          if (requests.length < count) return
          arrivals.delete(check)
          done()
        }
        arrivals.add(check)
        check()
      }),
    release,
    rows: undefined,
    async close() {
      release()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return searchServer
}

/** The five results that every query has. */
export function usualRows(query: string): readonly PageRow[] {
  const slug = query.replaceAll(" ", "-")
  return [1, 2, 3, 4, 5].map((number) => ({
    title: `${query}, page ${number}`,
    url: `https://example.org/${slug}/${number}`,
    snippet: `About ${query}: number ${number}`,
  }))
}

const paths: Readonly<Record<ProviderId, readonly string[]>> = {
  ddg: ["/html/"],
  wiki: ["/w/api.php"],
  brave: ["/search", "/res/v1/web/search"],
  sogou: ["/web"],
  so360: ["/s"],
  searxng: ["/search"],
  tavily: ["/search"],
  google: ["/customsearch/v1"],
  baidu: ["/v2/ai_search/web_search"],
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const address = new URL(request.url ?? "/", "http://server")
  const provider = providerIds.find((id) => address.pathname.startsWith(`/${id}/`))
  const path = address.pathname.slice((provider?.length ?? 0) + 1)
  if (provider === undefined || !paths[provider].includes(path)) throw new Error(`no provider has ${request.url}`)
  const { searchParams } = address
  const body = await text(request)
  const query = body === "" ? searchParams.get({ sogou: "query", wiki: "srsearch" }[provider as string] ?? "q") : null
  return {
    provider,
    query: query ?? queryIn(JSON.parse(body)),
    address,
    method: request.method ?? "",
    headers: request.headers,
    body,
  }
}

function queryIn(body: { readonly query?: string; readonly messages?: readonly { content: string }[] }): string {
  return body.query ?? body.messages![0]!.content
}

function answer(
  { provider, query, address }: SeenRequest,
  response: ServerResponse,
  rows: NonNullable<SearchServer["rows"]>,
): void {
  if (query === "reset") {
    response.destroy()
    return
  }
  const form = answerForms[address.pathname.endsWith("/res/v1/web/search") ? "braveApi" : provider]
  const [status, body] = statusAndBody(form, query, () => form.found(rows(query, provider), query))
  response.writeHead(status, { "content-type": form.type, "retry-after": "7" }).end(body)
}

function statusAndBody(form: AnswerForms, query: string, found: () => string): readonly [number, string] {
  const status = /^status (\d+)$/.exec(query)?.[1]
  if (status !== undefined) return [Number(status), "<html>status</html>"]
  if (query === "nothing") return [200, form.nothing(query)]
  if (query === "malformed") return [200, "<html><body><p>Something {{ else"]
  if (query === "captcha" && form.challenge) return [form.challenge.status, form.challenge.body(query)]
  return [200, found()]
}
