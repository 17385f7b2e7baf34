import { randomBytes } from "node:crypto"
import type { Duplex, Readable } from "node:stream"
import {
  bestEffort,
  type Isolation,
  type PathRules,
  type SandboxedGrant,
  type SandboxSpec,
  ToolError,
} from "@haft/contract"
import type { PreparedSandbox } from "../../sandbox/sandbox.js"
import { LongLivedProcess } from "../long-lived/long-lived.js"
import { OutputCapture } from "../process/capture.js"
import type { OutputSidecar } from "../process/output-sidecar.js"
import { exitOf, programEnd, type StartedProcess, startProcess } from "../process/start-process.js"
import { channelDescriptor, type Driver } from "./driver/index.js"

/** How a piece of code ended: with a status, or with the end of the interpreter. */
export type Answer = { readonly status: number } | { readonly lost: true; readonly exitCode: number | null }

/** What an interpreter is started from. */
export interface InterpreterRequest {
  readonly sandbox: PreparedSandbox
  /** What the sandbox was built from. */
  readonly asked: SandboxSpec
  /** What the call that started it may do. */
  readonly grant: SandboxedGrant
  /** The tag that the sandbox's environment carries. */
  readonly tag: string
  readonly driver: Driver
  readonly program: string
}

// Output that comes between two pieces, for instance from a thread, is shown with the next one.
const strayBytes = 64 * 1024

/** A running interpreter: one process that evaluates piece after piece. */
export class Interpreter {
  readonly isolation: Isolation
  private output = new OutputCapture(strayBytes)
  /** Settles when all its processes are gone. */
  readonly over: Promise<void>
  /** The process has ended; a new interpreter is needed. */
  hasExited = false
  /** Why it had to be ended, when rules became tighter than its sandbox. */
  outgrown: string | undefined
  /** An outcome says already that its state is lost. */
  isLossReported = false
  private readonly longLived: LongLivedProcess
  private readonly started: StartedProcess
  private readonly channel: Duplex
  private exitCode: number | null = null
  private setupError: ToolError | undefined
  private lines = ""
  private lastDataMs = 0
  private onLine: ((line: string) => void) | undefined
  private onExit: ((exitCode: number | null) => void) | undefined

  /** Starts an interpreter in the sandbox, which is given back when the interpreter has ended. */
  static async start({ sandbox, asked, grant, tag, driver, program }: InterpreterRequest): Promise<Interpreter> {
    const argv = [program, ...driver.arguments]
    const stdio = ["ignore", "pipe", "pipe"] as const
    const started = await startProcess({ sandbox, tag, argv, stdio, channel: channelDescriptor }).catch(
      async (error) => {
        await sandbox.release()
        throw error
      },
    )
    const longLived = new LongLivedProcess({ tree: started.tree, sandbox, asked, grant })
    const interpreter = new Interpreter(sandbox, started, longLived)
    await interpreter.ready(program)
    return interpreter
  }

  private constructor(sandbox: PreparedSandbox, started: StartedProcess, longLived: LongLivedProcess) {
    this.longLived = longLived
    this.isolation = sandbox.isolation
    this.started = started
    const { child } = started
    this.channel = child.stdio[channelDescriptor as 3] as unknown as Duplex
    this.channel.on("error", () => undefined)
    this.channel.on("data", (chunk: Buffer) => this.takeLines(chunk.toString("latin1")))
    this.read(child.stdout!, "stdout")
    this.read(child.stderr!, "stderr")
    this.over = this.live(sandbox)
  }

  /** Evaluates one piece and waits for its answer; its output is taken with `takeOutput` then. */
  async evaluate(code: string, keepBytes: number, sidecar: OutputSidecar): Promise<Answer> {
    this.output = carriedOver(this.output, new OutputCapture(keepBytes, sidecar))
    const nonce = randomBytes(12).toString("hex")
    const answer = new Promise<Answer>((resolve) => {
      this.onLine = (line) => {
        const [name, status] = line.split(" ")
        if (name === nonce) resolve({ status: Number(status) })
      }
      this.onExit = (exitCode) => resolve({ lost: true, exitCode })
    })
    if (this.hasExited) void this.over.then(() => this.onExit?.(this.exitCode))
    else this.channel.write(`${nonce}\0${code}\0`)
    const ended = await answer
    await ("lost" in ended ? this.over : this.drained())
    return ended
  }

  /** Takes the captured output away; what comes from now on belongs to the next piece. */
  takeOutput(): OutputCapture {
    const { output } = this
    this.output = new OutputCapture(strayBytes)
    return output
  }

  /** Goes on reading after the sidecar had no room. */
  resume(): void {
    this.started.child.stdout!.resume()
    this.started.child.stderr!.resume()
  }

  /** Asks the running piece to stop, as ^C would. */
  interrupt(): Promise<void> {
    return this.started.tree.signal("SIGINT")
  }

  /** Ends the interpreter when these rules are tighter than its sandbox; resolves to the reason then. */
  async obey(rules: PathRules): Promise<string | undefined> {
    if (this.hasExited) return undefined
    const reason = await this.longLived.obey(rules)
    if (reason === undefined) return undefined
    this.outgrown ??= reason
    await this.started.tree.kill()
    await this.over
    return reason
  }

  async end(): Promise<void> {
    await this.started.tree.end()
    await this.over
  }

  private async ready(program: string): Promise<void> {
    const isReady = new Promise<boolean>((resolve) => {
      this.onLine = (line) => resolve(line === "ready")
      this.onExit = () => resolve(false)
      setTimeout(() => resolve(false), startMs).unref()
    })
    if (await isReady) return
    await this.end()
    const words = this.output.stderr.tail()
    throw (
      this.setupError ??
      new ToolError("backend", `Cannot start "${program}": it did not get ready${words && `: ${words.trim()}`}`)
    )
  }

  private async live(sandbox: PreparedSandbox): Promise<void> {
    const exit = await exitOf(this.started)
    this.hasExited = true
    await this.started.tree.end()
    await this.drained()
    // The sandbox can tell how it ended only as long as it is not given back.
    const end = await programEnd(this.started.launch, exit, this.output.stderr.tail())
    this.setupError = end.failure
    this.exitCode = end.exitCode
    this.onExit?.(end.exitCode)
    for (const stream of [this.channel, this.started.child.stdout!, this.started.child.stderr!]) stream.destroy()
    await bestEffort("the next session sweeps what a sandbox could not give back", sandbox.release())
  }

  private read(stream: Readable, name: "stdout" | "stderr"): void {
    stream.on("error", () => undefined)
    stream.on("data", (chunk: Buffer) => {
      this.lastDataMs = performance.now()
      if (this.output.take(name, chunk)) return
      this.started.child.stdout!.pause()
      this.started.child.stderr!.pause()
    })
  }

  /**
   * What the piece wrote is in the pipes before its answer is, but may be read after it: two turns of the event loop
   * without anything to read mean that the pipes are empty.
   */
  private async drained(): Promise<void> {
    for (let silent = 0; silent < 2; ) {
      const before = this.lastDataMs
      await new Promise((resolve) => setImmediate(resolve))
      // Paused for the disk, there is more to read.
      const isSilent = this.lastDataMs === before && !this.started.child.stdout!.isPaused()
      silent = isSilent ? silent + 1 : 0
    }
  }

  private takeLines(text: string): void {
    const lines = (this.lines + text).split("\n")
    this.lines = lines.pop()!.slice(-1024)
    for (const line of lines) this.onLine?.(line)
  }
}

const startMs = 15_000

function carriedOver(stray: OutputCapture, output: OutputCapture): OutputCapture {
  for (const name of ["stdout", "stderr"] as const) {
    if (stray[name].totalBytes > 0) output.take(name, Buffer.from(stray[name].finish().text))
  }
  return output
}
