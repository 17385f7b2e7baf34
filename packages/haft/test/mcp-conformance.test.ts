import { execFile, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Listening, listen } from "./mcp-serve-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

const suite = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
)
const page = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8")
// The suite does not run on Node 20.
const newerNode = ["-y", "node@24"]
const isMissing = spawnSync("npx", [...newerNode, "--version"], { timeout: 180_000 }).status !== 0

let command: SourceCommand
let bench: Workbench
let server: Listening
let door: Server

beforeAll(async () => {
  command = await sourceCommand()
  bench = workbench()
  server = await listen(command, bench)
  door = await withToken(server)
}, 120_000)
afterAll(async () => {
  door.close()
  door.closeAllConnections()
  await server.stop()
  command.remove()
  bench.remove()
})

/** The suite sends no token: this adds it, and passes on everything else as it is. */
async function withToken({ url, token }: Listening): Promise<Server> {
  const { port } = new URL(url)
  const proxy = createServer((request, response) => {
    const { url: path, method, headers } = request
    const onward = {
      hostname: "127.0.0.1",
      port,
      path,
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
    }
    const upstream = httpRequest(onward, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.on("error", () => response.destroy())
    response.on("close", () => upstream.destroy())
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  return proxy
}

test.skipIf(isMissing)(
  "the official suite passes against haft mcp --http, but for what docs/mcp.md names with a reason",
  async () => {
    const { port } = door.address() as AddressInfo
    const words = [suite, "server", "--url", `http://127.0.0.1:${port}/mcp`, "--suite", "all"]
    const run = promisify(execFile)("npx", [...newerNode, ...words], { cwd: bench.work, maxBuffer: 64 * 1024 * 1024 })
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    const outcomes = [...stdout.matchAll(/^([✓✗]) (\S+): \d+ passed/gm)]
    const named = (mark: string) => outcomes.filter(([, each]) => each === mark).map(([, , name]) => name)
    expect(named("✓")).toEqual([
      "server-initialize",
      "ping",
      "tools-list",
      "server-sse-polling",
      "server-sse-multiple-streams",
      "resources-list",
      "dns-rebinding-protection",
    ])
    const [, table = ""] = /### Scenarios that do not apply\n([\s\S]*?)(?=\n#|$)/.exec(page) ?? []
    const listed = [...table.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, name]) => name)
    expect(named("✗").sort()).toEqual(listed.sort())
  },
  180_000,
)
