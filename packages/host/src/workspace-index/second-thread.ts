import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { CopyAnswer, CopyRequest } from "../undo/keep/copy-files.js"
import type { LookAnswer, LookRequest } from "./look-at-entries.js"

const idleMs = 1000

/** A thread that looks at files and copies them before first commands. It ends when it had nothing to do for a while. */
export class SecondThread {
  /** All sessions of a process share its processors. */
  static running: SecondThread | undefined
  private readonly worker: Worker
  private readonly waiting: ((answer: unknown) => void)[] = []
  private idle: NodeJS.Timeout | undefined

  private constructor(program: URL) {
    const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 1 }
    this.worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: limits })
    this.worker.on("error", () => this.end()).on("exit", () => this.end())
    this.worker.on("message", (answer: unknown) => {
      this.waiting.shift()?.(answer)
      if (this.waiting.length > 0) return
      this.worker.unref()
      this.idle = setTimeout(() => this.end(), idleMs).unref()
    })
  }

  /** Undefined where there is no program for it. */
  static start(): SecondThread | undefined {
    const program = SecondThread.running ? undefined : workerProgram()
    if (program) SecondThread.running = new SecondThread(program)
    return SecondThread.running
  }

  /** Resolves to undefined when the thread ended before. */
  ask(request: LookRequest): Promise<LookAnswer | undefined>
  ask(request: CopyRequest): Promise<CopyAnswer | undefined>
  async ask(request: LookRequest | CopyRequest): Promise<unknown> {
    if (SecondThread.running !== this) return undefined
    clearTimeout(this.idle)
    this.worker.ref()
    this.worker.postMessage(request)
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  end(): void {
    if (SecondThread.running === this) SecondThread.running = undefined
    clearTimeout(this.idle)
    for (const resolve of this.waiting.splice(0)) resolve(undefined)
    void this.worker.terminate()
  }
}

/** The bundle of the worker: beside the chunks of the built command and of the package, and in the compiled package when this
 * module runs from there or from the sources. */
function workerProgram(): URL | undefined {
  const places = ["./index-worker/", "../index-worker/", "../../dist/index-worker/"]
  return places.map((place) => new URL(`${place}main.mjs`, import.meta.url)).find((program) => existsSync(program))
}
