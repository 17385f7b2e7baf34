import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import type { BenchCase } from "../bench-case.js"
import { compare, compiledAfter } from "../measure.js"

const callsPerRound = 200

/** What a client waits for a call over the protocol, compared with a server of the SDK whose tool does nothing either. */
export const mcpRoundTrip: BenchCase = {
  name: "mcp-round-trip",
  limits: { call: { atMost: 1.3, unit: "x", what: "no-op call over MCP, journal off / a bare server of the SDK" } },
  async run(world) {
    const places = [await world.folder("mcp"), await world.folder("mcp-home")]
    const peers = [new Peer("haft", ...places), new Peer("bare")] as const
    for (const peer of peers) {
      await peer.initialize()
      for (let index = 0; index < compiledAfter; index += 1) await peer.call(index)
    }
    const [ours, bare] = peers.map((peer) => ({
      async run() {
        for (let index = 0; index < callsPerRound; index += 1) await peer.call(index)
      },
    }))
    const call = await compare(ours!, bare!, { rounds: 40 })
    for (const peer of peers) await peer.end()
    return { call }
  },
}

/** A client that only writes and reads lines: what it costs is the same for both servers. */
class Peer {
  private readonly server: ChildProcessByStdio<Writable, Readable, null>
  private answered: (line: string) => void = () => undefined
  private id = 0

  constructor(...words: readonly string[]) {
    this.server = spawn(process.execPath, ["scripts/run-ts.mjs", "bench/child/mcp-server.ts", ...words], {
      stdio: ["pipe", "pipe", "inherit"],
    })
    createInterface(this.server.stdout).on("line", (line) => this.answered(line))
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "bench", version: "1" }
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
    this.server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }

  async call(index: number): Promise<void> {
    const line = await this.request("tools/call", { name: "noop", arguments: { value: `value ${index}` } })
    const { result } = JSON.parse(line) as { result?: { isError?: boolean; structuredContent?: { value: string } } }
    if (result?.isError || result?.structuredContent?.value !== `value ${index}`) throw new Error(`unexpected: ${line}`)
  }

  async end(): Promise<void> {
    this.server.stdin.end()
    await once(this.server, "exit")
  }

  private request(method: string, params: unknown): Promise<string> {
    this.id += 1
    return new Promise((resolve) => {
      this.answered = resolve
      this.server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.id, method, params })}\n`)
    })
  }
}
