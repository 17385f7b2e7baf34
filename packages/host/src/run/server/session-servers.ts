import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Writable } from "node:stream"
import {
  type EndedProcess,
  type PathRules,
  type RunningServer,
  type SandboxedCall,
  type SandboxSpec,
  type ServerRequest,
  type Servers,
  ToolError,
} from "@haft/contract"
import type { CommandSandboxes } from "../../sandbox/sandbox.js"
import { RulesWatch } from "../long-lived/long-lived.js"
import { findProgram, type Workplace } from "../workplace.js"
import { ServerProcess } from "./server-process.js"

/** What the servers of a session are started with. */
export interface ServerOptions extends Pick<Workplace, "directory" | "roots"> {
  readonly sandboxes: CommandSandboxes
  /** The folder that holds a folder for the data of each server. */
  readonly dataFolder: string
  /** Where programs are found. */
  readonly path: string
}

/** The servers of a session: each has a sandbox of its own and ends with the session at the latest. */
export class SessionServers {
  private readonly running = new Map<ServerProcess, string>()
  private readonly starting = new Set<Promise<ServerProcess>>()
  private readonly rules = new RulesWatch((rules) => this.obeyAll(rules))
  private readonly closing = new AbortController()

  constructor(private readonly options: ServerOptions) {}

  /** The port of one call; what it starts outlives the call. */
  port(call: SandboxedCall): Servers {
    return {
      start: (request) => this.start(request, call),
      find: async (program) => findProgram(program, { path: this.options.path, roots: this.options.roots }),
      dataFolder: async (name) => this.dataFolder(name),
    }
  }

  /** Ends the servers that could see or reach more than the rules now allow; resolves to those. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]> {
    return this.rules.changed(rules)
  }

  async close(): Promise<void> {
    this.closing.abort(new ToolError("cancelled", "Cannot start a server: the session is closing"))
    await Promise.allSettled(this.starting)
    await Promise.all([...this.running.keys()].map((server) => server.end()))
  }

  private async start(request: ServerRequest, call: SandboxedCall): Promise<RunningServer> {
    const starting = this.begin(request, call)
    this.starting.add(starting)
    return connected(await starting.finally(() => this.starting.delete(starting)))
  }

  private async begin(request: ServerRequest, { grant }: SandboxedCall): Promise<ServerProcess> {
    const { name, argv, environment, workspace, hosts, readable, signal } = request
    const sandbox: SandboxSpec = { profile: profiles[workspace], hosts, approved: [], unconfined: false }
    const data = this.dataFolder(request.data)
    mkdirSync(this.options.dataFolder, { recursive: true, mode: 0o700 })
    const rulesSince = this.rules.starting()
    const server = await ServerProcess.start(name, {
      ...{ argv, environment, readable, data, sandbox, sandboxes: this.options.sandboxes },
      root: workspace === "none" ? data : this.options.directory,
      // What it may reach was decided when it was trusted; the rules of a call only say whether it may still be used.
      grant: { ...grant, renewed: () => (grant.renewed?.() === undefined ? undefined : sandbox) },
      signal: AbortSignal.any([signal, this.closing.signal]),
    })
    this.running.set(server, name)
    void server.gone.then(() => this.running.delete(server))
    const newer = rulesSince()
    const reason = newer && (await server.obey(newer))
    if (reason !== undefined) {
      throw new ToolError("unavailable", `Cannot start the ${name}: while it started, ${reason}; try again`)
    }
    return server
  }

  private dataFolder(name: string): string {
    return join(this.options.dataFolder, name)
  }

  private async obeyAll(rules: PathRules): Promise<readonly EndedProcess[]> {
    const ended = [...this.running].map(async ([server, name]): Promise<readonly EndedProcess[]> => {
      const reason = await server.obey(rules)
      return reason === undefined ? [] : [{ kind: "server", name, reason }]
    })
    return (await Promise.all(ended)).flat()
  }
}

const profiles = { none: "server", read: "read-only", write: "workspace-write" } as const

function connected(server: ServerProcess): RunningServer {
  // Reported by `gone`; a pipe without a reader is no failure of this process.
  server.input.on("error", () => undefined)
  return {
    isolation: server.isolation,
    output: server.output as AsyncIterable<Uint8Array>,
    write: (bytes) => written(server.input, bytes),
    errors: () => server.lastErrors,
    gone: server.gone,
    end: (reason) => server.end(reason),
  }
}

/** A server that does not read stops its writers here, and not in the memory of this process. */
function written(input: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    input.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}
