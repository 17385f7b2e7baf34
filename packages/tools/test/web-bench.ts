import type { HttpRequest, HttpResponse, Network, ToolDefinition } from "@haft/contract"
import { type TestCall, type TestCallOptions, testCall } from "@haft/testkit"
import { createNetwork } from "../../host/src/network/index.js"
import { type PageRoute, type PageServer, startPageServer } from "./page-server.js"
import { type BenchResult, openBench } from "./tool-bench.js"

/** The real network and the real compute port, with a server on this machine in the place of the web. */
export interface WebBench {
  readonly server: PageServer
  run(tool: ToolDefinition, input: unknown, options?: TestCallOptions): Promise<BenchResult>
  /** The context of one call; requests to these origins reach the server. */
  context(tool: ToolDefinition, standsFor?: string): TestCall["context"]
  close(): Promise<void>
}

/** Opens it with these pages. */
export async function openWebBench(pages: Readonly<Record<string, PageRoute>> = {}): Promise<WebBench> {
  const bench = await openBench()
  const server = await startPageServer(pages)
  const session = createNetwork({ netGrants: [server.host] })
  const ports = { ...bench.ports, network: session.network }
  return {
    server,
    context(tool, standsFor) {
      const { context } = testCall(tool, ports)
      return standsFor === undefined ? context : { ...context, network: standIn(context.network, server, standsFor) }
    },
    async run(tool, input, options) {
      const call = testCall(tool, ports, options)
      const { execute } = await tool.execute()
      const parsed = tool.manifest.input.parse(input)
      const data = tool.manifest.output.parse(await execute(parsed, call.context as never))
      const content = tool.present(data, parsed)
      return { ...call, data, content, text: content.map((part) => (part.type === "text" ? part.text : "")).join("\n") }
    },
    async close() {
      await Promise.all([session.close(), server.close()])
      await bench.close()
    },
  }
}

/** Examples name an address that reads well; here the server answers for it. */
function standIn({ fetch, open }: Network, { origin }: PageServer, standsFor: string): Network {
  return {
    open,
    async fetch(request: HttpRequest): Promise<HttpResponse> {
      const response = await fetch({ ...request, url: request.url.replace(standsFor, origin) })
      return { ...response, url: response.url.replace(origin, standsFor) }
    },
  }
}

/** The pages that the examples of the tools of the web name. */
export const examplePages: Readonly<Record<string, PageRoute>> = {
  "/article": {
    body: '<html><head><title>On bridges</title></head><body><h1>On bridges</h1><p>A bridge carries a road over <a href="/water">water</a>.</p></body></html>',
  },
  "/data.json": { headers: { "content-type": "application/json" }, body: '{"bridges": 2}' },
  "/app": { body: "<title>App</title><div id=root></div><script src=/a.js></script>" },
}
