// One of the two servers of the row "mcp-round-trip": ours with a tool that does nothing, or a bare one of the SDK with the same.
import { type ServeHost, serveStdio } from "@haft/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio as serveBare } from "@modelcontextprotocol/server/stdio"
import { createHaft } from "haft"
import * as z from "zod"
import { hostSession } from "../../packages/haft/src/mcp/serve-host.js"
import { allowing, noOpTool } from "../no-op-tool.js"

const [kind, root = "", home = ""] = process.argv.slice(2)
if (kind === "bare") serveBare(bareServer)
else await serveOurs()

async function serveOurs(): Promise<void> {
  const haft = await createHaft({
    roots: [root],
    home,
    storage: { configHome: `${home}-config`, journal: false },
    toolset: "locked",
    tools: [noOpTool("noop", "safe")],
    rules: allowing("noop"),
  })
  const definition = { name: "noop", inputSchema: { type: "object" as const } }
  const host: ServeHost = {
    ...{ version: "1", instructions: "", mayAsk: true },
    tools: async () => [{ definition, name: "noop", isLong: false }],
    openSession: async () => hostSession(await haft.openSession()),
    askWords: async () => "",
    personStep: async () => undefined,
    note: () => undefined,
  }
  await serveStdio(host, { input: process.stdin, output: process.stdout })
  await haft.close()
}

function bareServer(): McpServer {
  const server = new McpServer({ name: "bare", version: "1" })
  const inputSchema = z.strictObject({ value: z.string(), count: z.number().int().default(1) })
  const outputSchema = z.object({ value: z.string(), head: z.string().optional() })
  server.registerTool("noop", { description: "Returns what it was given", inputSchema, outputSchema }, ({ value }) => ({
    content: [{ type: "text", text: value }],
    structuredContent: { value },
  }))
  return server
}
