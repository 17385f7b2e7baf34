import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { BenchCase } from "../bench-case.js"
import { compare } from "../measure.js"

const clientInfo = { name: "bench", version: "1" }
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
const initialize = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`

/** How long a client waits for the first answer of the server that it has just started. */
export const mcpStart: BenchCase = {
  name: "mcp-start",
  limits: { ready: { atMost: 2.2, unit: "x", what: "haft mcp answers initialize / node -e 0" } },
  async run(world) {
    const built = spawnSync(process.execPath, ["scripts/build.mjs"], { encoding: "utf8" })
    if (built.status !== 0) throw new Error(built.stderr)
    const cwd = await world.folder("mcp-start")
    const home = await world.folder("mcp-home")
    const env = { ...process.env, HAFT_HOME: home, XDG_CONFIG_HOME: join(home, "config") }
    const command = join(process.cwd(), "packages/haft/bin/haft.cjs")
    let server: ChildProcess | undefined
    const ours = {
      async run() {
        server = spawn(process.execPath, [command, "mcp"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] })
        server.stdin!.write(initialize)
        const [line] = (await once(server.stdout!, "data")) as [Buffer]
        if (!line.includes('"serverInfo"')) throw new Error(`"haft mcp" answered ${line}`)
      },
      async dispose() {
        server!.stdin!.end()
        await once(server!, "exit")
      },
    }
    const raw = { run: async () => once(spawn(process.execPath, ["-e", "0"], { cwd, env, stdio: "ignore" }), "exit") }
    return { ready: await compare(ours, raw, { rounds: 25, warmUp: 3 }) }
  },
}
