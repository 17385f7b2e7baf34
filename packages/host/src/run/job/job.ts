import {
  bestEffort,
  type JobRequest,
  type JobView,
  type PathRules,
  type SandboxedGrant,
  ToolError,
} from "@haft/contract"
import { quarantineWords } from "../../sandbox/protected/quarantine.js"
import type { PreparedSandbox, ProgramEnd } from "../../sandbox/sandbox.js"
import { within } from "../../wait.js"
import { LongLivedProcess } from "../long-lived/long-lived.js"
import { ByteRing } from "../process/capture.js"
import { OutputSidecar } from "../process/output-sidecar.js"
import { exitOf, programEnd } from "../process/start-process.js"
import { processTable } from "../process/table/index.js"
import type { JobProcess } from "./start-job-process.js"
import { type ReadyWatch, watchReady } from "./watch-ready.js"

/** What a job consists of. */
export interface JobParts {
  readonly id: string
  readonly request: JobRequest
  readonly sandbox: PreparedSandbox
  /** What the call that started it may do. */
  readonly grant: SandboxedGrant
  readonly process: JobProcess
  readonly outputFolder: string
  /** Takes back what the job gave away to everybody; resolves to what is to be said about it. */
  readonly removeSetId?: () => Promise<readonly string[]>
  /** Called exactly once, when all processes of the job are gone. */
  readonly onEnd: (view: JobView) => void
}

const bufferBytes = 1024 * 1024
const drainMs = 100
// Input that a program does not read may wait; more than this is refused.
const waitingInputBytes = 1024 * 1024

/** A command that outlives its call, from its start until nothing is left of it. */
export class Job {
  readonly id: string
  readonly buffer = new JobBuffer()
  readonly sidecar: OutputSidecar
  /** Settles when all processes are gone. */
  readonly over: Promise<void>
  /** Where the next look begins when it names no place. */
  cursor = 0
  state: JobView["state"] = "running"
  /** The sandbox could not be built or the program not be started: then it never ran. */
  setupError: ToolError | undefined
  private exitCode: number | null | undefined
  private signal: string | undefined
  private stopping = false
  private note: string | undefined
  private quarantined: readonly string[] = []
  private readonly longLived: LongLivedProcess
  private readonly ready: ReadyWatch
  private readonly parts: JobParts
  private readonly listeners = new Set<() => void>()

  constructor(parts: JobParts) {
    this.parts = parts
    this.id = parts.id
    const { process, outputFolder, id, request, sandbox, grant } = parts
    const { outputs, started } = process
    this.longLived = new LongLivedProcess({ tree: started.tree, sandbox, asked: grant.sandbox, grant })
    this.sidecar = new OutputSidecar({
      folder: outputFolder,
      name: id,
      onRoom: () => {
        for (const stream of outputs) stream.resume()
      },
    })
    this.ready = watchReady({
      when: request.readyWhen,
      processes: async () => (await processTable.descendants(started.child.pid!)).map(({ pid }) => pid),
      onReady: () => this.notify(),
    })
    for (const stream of outputs) {
      stream.on("data", (chunk: Buffer) => this.take(chunk))
      stream.on("error", () => undefined)
    }
    process.input.on("error", () => undefined)
    this.over = this.live()
  }

  get isReady(): boolean | undefined {
    return this.ready.ready
  }

  view(output: string, next: number, lostBytes: number): JobView {
    const { id, request } = this.parts
    return {
      id,
      label: request.label,
      state: this.state,
      ...(this.isReady !== undefined && { ready: this.isReady }),
      ...(this.exitCode !== undefined && { exitCode: this.exitCode }),
      ...(this.signal !== undefined && { signal: this.signal }),
      ...(this.note !== undefined && { note: this.note }),
      ...(this.quarantined.length > 0 && { quarantined: this.quarantined }),
      output,
      next,
      lostBytes,
    }
  }

  /** Settles at the next output, readiness or end, or after this time. */
  change(limitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        this.listeners.delete(settle)
        signal.removeEventListener("abort", settle)
        resolve()
      }
      const timer = setTimeout(settle, limitMs)
      this.listeners.add(settle)
      signal.addEventListener("abort", settle, { once: true })
      if (signal.aborted) settle()
    })
  }

  input(text: string): void {
    const { input } = this.parts.process
    if (this.state !== "running" || input.destroyed) {
      const why = this.note === undefined ? "the job has ended" : `the job was ended because ${this.note}`
      throw new ToolError("conflict", `Cannot send input to "${this.parts.id}": ${why}; start it again`)
    }
    if (input.writableLength > waitingInputBytes) {
      const message = `Cannot send input to "${this.parts.id}": the program does not read what it was sent; try again later`
      throw new ToolError("unavailable", message)
    }
    input.write(text)
  }

  async stop(): Promise<void> {
    if (this.state !== "running") return
    this.stopping = true
    await this.parts.process.started.tree.end()
    await this.over
  }

  /** Ends the job when these rules are tighter than its sandbox; resolves to the reason then. */
  async obey(rules: PathRules): Promise<string | undefined> {
    if (this.state !== "running" || this.stopping) return undefined
    const reason = await this.longLived.obey(rules)
    if (reason === undefined) return undefined
    this.stopping = true
    this.note ??= reason
    await this.parts.process.started.tree.kill()
    await this.over
    return reason
  }

  private take(chunk: Buffer): void {
    this.buffer.take(chunk)
    this.ready.take(chunk)
    if (!this.sidecar.take(chunk)) for (const stream of this.parts.process.outputs) stream.pause()
    if (this.buffer.start > 0) this.sidecar.open()
    this.notify()
  }

  private async live(): Promise<void> {
    const { started, outputs, close } = this.parts.process
    const closed = Promise.all(outputs.map((stream) => new Promise((resolve) => stream.once("close", resolve))))
    const exit = await exitOf(started)
    await within(drainMs, closed)
    await started.tree.end()
    await within(drainMs, closed)
    this.ready.stop()
    close()
    await this.sidecar.finish()
    const tail = this.buffer.from(Math.max(0, this.buffer.end - 4096)).toString("utf8")
    const end: Partial<ProgramEnd> = this.stopping ? exit : await programEnd(started.launch, exit, tail)
    this.setupError = end.failure
    const released = await bestEffort("the next start sweeps what is left of a sandbox", this.parts.sandbox.release())
    const { quarantined = [], note } = released ?? {}
    const remove = async () => this.parts.removeSetId?.()
    const takenBack = (await bestEffort("the end of the job is reported in any case", remove)) ?? []
    this.quarantined = [...quarantineWords(quarantined), ...(note === undefined ? [] : [note]), ...takenBack]
    this.exitCode = this.stopping ? null : end.exitCode
    this.signal = end.signal ?? (this.stopping ? (this.note === undefined ? "SIGTERM" : "SIGKILL") : undefined)
    this.state = this.stopping ? "stopped" : "exited"
    this.notify()
    this.parts.onEnd(this.view("", this.buffer.end, 0))
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener()
  }
}

/** The output of a job: the newest part in memory, addressed by how many bytes came before. */
class JobBuffer {
  private readonly newest = new ByteRing(bufferBytes)
  /** Bytes so far. */
  end = 0

  take(chunk: Buffer): void {
    this.end += chunk.length
    this.newest.add(chunk)
  }

  /** The first byte that is still held. */
  get start(): number {
    return this.end - this.newest.bytes
  }

  /** The held bytes from a place on. */
  from(place: number): Buffer {
    return this.newest.joined().subarray(Math.max(0, place - this.start))
  }
}
