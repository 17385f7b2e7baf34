import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import type { ToolDefinition } from "@haft/contract"
import { type TestCallOptions, testCall } from "@haft/testkit"
import { createNetwork } from "../../host/src/network/index.js"
import { openBench, type ToolBench } from "./tool-bench.js"

/** The real network port, and a server on this machine that it may reach. */
export interface LoopbackBench extends Pick<ToolBench, "run" | "close"> {
  /** Where the server answers, without a slash at the end. */
  readonly address: string
}

/** Opens it over a server that answers like this. */
export async function openLoopbackBench(answer: RequestListener): Promise<LoopbackBench> {
  const bench = await openBench()
  const server = createServer(answer)
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const session = createNetwork({ netGrants: [host] })
  return {
    address: `http://${host}`,
    async run(tool: ToolDefinition, input: unknown, options?: TestCallOptions) {
      const call = testCall(tool, { ...bench.ports, network: session.network }, options)
      const { execute } = await tool.execute()
      const parsed = tool.manifest.input.parse(input)
      const data = tool.manifest.output.parse(await execute(parsed, call.context as never))
      return { ...call, data, content: tool.present(data, parsed), text: "" }
    },
    async close() {
      await session.close()
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
      await bench.close()
    },
  }
}
