// Any MCP client takes the entry of mcp.json; this one lists the tools and calls one of them.
import { readFileSync } from "node:fs"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const { mcpServers } = JSON.parse(readFileSync(new URL("mcp.json", import.meta.url), "utf8"))
const transport = new StdioClientTransport({ ...mcpServers.haft, env: process.env })
const client = new Client({ name: "example", version: "1.0.0" })
await client.connect(transport)
const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name).includes("grep"))
const { content } = await client.callTool({ name: "grep", arguments: { pattern: "TODO" } })
console.log(content[0].text)
await client.close()
