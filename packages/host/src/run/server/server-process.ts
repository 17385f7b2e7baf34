import type { Readable, Writable } from "node:stream"
import {
  bestEffort,
  type Isolation,
  type PathRules,
  type SandboxedGrant,
  type SandboxSpec,
  ToolError,
} from "@haft/contract"
import type { PreparedSandbox, Sandboxes, SandboxRequest } from "../../sandbox/sandbox.js"
import { LongLivedProcess } from "../long-lived/long-lived.js"
import { nextProcessTag, tagName } from "../process/spawn.js"
import { programEnd, type StartedProcess, startProcess } from "../process/start-process.js"

/** A program that serves for longer than the call that starts it. */
export interface StartServerOptions extends Pick<SandboxRequest, "readable" | "data"> {
  readonly argv: readonly string[]
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly sandboxes: Pick<Sandboxes, "prepare">
  /** Its sandbox. Not that of the call that happens to be the first: the server serves all of them. */
  readonly sandbox: SandboxSpec
  /** What the call that starts it may do. */
  readonly grant: SandboxedGrant
  readonly signal: AbortSignal
}

const keptErrorBytes = 4096
const lastWordsMs = 100
const hopelessMs = 3000

/** The process of a server in its sandbox, with the end of what it wrote to standard error. */
export class ServerProcess {
  /** Settles when nothing of it is left, with the reason when it went by itself or had to be ended. */
  readonly gone: Promise<ToolError | undefined>
  private readonly name: string
  private readonly sandbox: PreparedSandbox
  private readonly started: StartedProcess
  private readonly longLived: LongLivedProcess
  private errors = Buffer.alloc(0)
  private endReason: ToolError | undefined
  private isAsked = false

  /** `name` is how messages call it, for instance `language server "x"`. */
  static async start(name: string, options: StartServerOptions): Promise<ServerProcess> {
    const { argv, root, environment, sandboxes, grant, signal, readable, data } = options
    const tag = nextProcessTag()
    const sandbox = await sandboxes.prepare({
      ...(readable && { readable }),
      ...(data !== undefined && { data }),
      sandbox: options.sandbox,
      directory: root,
      environment: { ...environment, [tagName]: tag },
      denies: (kind, path) => grant.denies(kind, path),
      rulesKey: grant.rulesKey,
      lasting: true,
      signal,
    })
    try {
      const started = await startProcess({ sandbox, tag, argv, stdio: ["pipe", "pipe", "pipe"] })
      return new ServerProcess(name, { sandbox, started, grant, asked: options.sandbox })
    } catch (error) {
      await sandbox.release()
      throw error
    }
  }

  private constructor(
    name: string,
    parts: {
      readonly sandbox: PreparedSandbox
      readonly started: StartedProcess
      readonly grant: SandboxedGrant
      readonly asked: SandboxSpec
    },
  ) {
    this.name = name
    this.sandbox = parts.sandbox
    this.started = parts.started
    this.longLived = new LongLivedProcess({
      tree: parts.started.tree,
      sandbox: parts.sandbox,
      asked: parts.asked,
      grant: parts.grant,
    })
    const { stderr } = parts.started.child
    stderr!.on("data", (chunk: Buffer) => {
      this.errors = Buffer.concat([this.errors, chunk.subarray(-keptErrorBytes)]).subarray(-keptErrorBytes)
    })
    stderr!.on("error", () => undefined)
    this.gone = this.untilGone()
  }

  get input(): Writable {
    return this.started.child.stdin!
  }

  get output(): Readable {
    return this.started.child.stdout!
  }

  /** The last that it wrote to standard error. */
  get lastErrors(): string {
    return this.errors.toString("utf8")
  }

  get isolation(): Isolation {
    return this.sandbox.isolation
  }

  /** Ends it with all that it started; resolves when it is gone. */
  async end(reason?: ToolError): Promise<void> {
    if (!this.isAsked) this.endReason = reason
    this.isAsked = true
    await this.started.tree.end()
    // A process that is stuck inside the kernel cannot be waited for.
    await Promise.race([this.gone, after(hopelessMs)])
  }

  /** Ends it when these rules are tighter than its sandbox; resolves to the reason then. */
  async obey(rules: PathRules): Promise<string | undefined> {
    const { child, tree } = this.started
    if (this.isAsked || child.exitCode !== null || child.signalCode !== null) return undefined
    const reason = await this.longLived.obey(rules)
    if (reason === undefined) return undefined
    this.isAsked = true
    await tree.kill()
    await Promise.race([this.gone, after(hopelessMs)])
    return reason
  }

  private async untilGone(): Promise<ToolError | undefined> {
    const { child, launch, tree } = this.started
    const closed = new Promise((resolve) => child.once("close", resolve))
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve))
    const code = await exited
    const byRequest = this.isAsked
    // The last words come with the close of the pipes, which a child of the server may hold open for longer.
    await Promise.race([closed, after(lastWordsMs)])
    await tree.end()
    const words = this.lastErrors
    // The sandbox can tell why it failed only as long as it is not given back.
    const { failure, exitCode } = await programEnd(launch, { exitCode: code }, words)
    // No caller waits for a failure here; the next session sweeps what a sandbox could not give back.
    await bestEffort("the end of the server is what is reported", this.sandbox.release())
    if (byRequest) return this.endReason
    return failure ?? fell(this.name, exitCode, words)
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

function fell(name: string, code: number | null, errors: string): ToolError {
  const lines = errors.split("\n").map((line) => line.trim())
  const words = lines.find((line) => /error|cannot|not found|panic/i.test(line)) ?? lines.find((line) => line !== "")
  const reason = code === null ? "it was killed" : `it ended with code ${code}`
  return new ToolError("backend", `Cannot use the ${name}: ${reason}${words ? ` ("${words}")` : ""}`)
}
