import type { SessionMemory, ToolDefinition, WebSearchSettings } from "@haft/contract"
import { defaultWebSearchSettings } from "@haft/contract"
import { fakeMemory, type TestCallOptions, testCall } from "@haft/testkit"
import { createNetwork } from "../../host/src/network/index.js"
import { type SearchServer, startSearchServer } from "./search-server.js"
import { type BenchResult, openBench } from "./tool-bench.js"

/** What a test may set about a search. */
export interface SearchCallOptions extends TestCallOptions {
  readonly settings?: Partial<WebSearchSettings>
  readonly sessionId?: string
}

/** The real network and the real compute port, and a server on this machine in the place of every provider. */
export interface SearchBench {
  readonly server: SearchServer
  /** The session's memory, where a call brings none. */
  readonly memory: SessionMemory
  run(tool: ToolDefinition, input: unknown, options?: SearchCallOptions): Promise<BenchResult>
  /** The context of one call. */
  context(tool: ToolDefinition, options?: SearchCallOptions): unknown
  close(): Promise<void>
}

/** Opens it. */
export async function openSearchBench(): Promise<SearchBench> {
  const bench = await openBench()
  const server = await startSearchServer()
  const session = createNetwork({ netGrants: [server.host] })
  const memory = fakeMemory()
  const open = (tool: ToolDefinition, { settings, sessionId, ...options }: SearchCallOptions = {}) => {
    const webSearchSettings = { ...defaultWebSearchSettings, endpoints: server.endpoints, ...settings }
    const ports = {
      ...bench.ports,
      network: session.network,
      webSearchSettings,
    }
    const call = testCall(tool, ports, { memory, ...options })
    return { ...call, context: { ...call.context, ...(sessionId === undefined ? {} : { sessionId }) } }
  }
  return {
    server,
    memory,
    context: (tool, options) => open(tool, options).context,
    async run(tool, input, options) {
      const call = open(tool, options)
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
