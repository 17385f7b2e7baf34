import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bestEffort, type RunningServer, type Servers, ToolError } from "@haft/contract"
import { BoundedLines, RateLimiter, TooLong } from "@haft/runtime"
import type { ExtensionManifest } from "./manifest.js"
import type { FromWorker, ToWorker } from "./message.js"

// A message of more is no result of a tool.
const maxLineBytes = 1024 * 1024
const messageLimits = { burst: 1000, perSecond: 200 }
const maxPending = 32
const startTimeoutMs = 15_000
const graceMs = 1000
const heapMegabytes = 192
// Heap, buffers and the stacks of Node's threads, which are counted but never touched: together about 256 MB that are really used.
const dataKilobytes = 352 * 1024
// From Node 24 on V8 maps 512 MB for code as writable in each of its two threads that run scripts. That is counted too and not
// touched: code itself counts for the heap.
const codeKilobytes = 2 * 512 * 1024
const limited = [
  `case $("$1" --version) in v2[0-3].*) limit=${dataKilobytes} ;; *) limit=${dataKilobytes + codeKilobytes} ;; esac`,
  'ulimit -d "$limit" && exec "$@"',
].join("\n")

/** What a worker asks the host to do for one of its calls; a throw is sent back to it as an error. */
export type OnRequest = (tool: string, args: unknown) => Promise<unknown>

/** A call that a worker works on. */
interface Pending {
  readonly onRequest: OnRequest
  readonly settle: (answer: { readonly result?: unknown; readonly error?: string }) => void
  readonly fail: (error: ToolError) => void
}

/** What is needed to start the worker of an extension. */
export interface WorkerRequest {
  readonly manifest: ExtensionManifest
  readonly folder: string
  readonly servers: Servers
  readonly signal: AbortSignal
  /** Called with what the code tried to reach by itself. */
  readonly onAttempt: (what: string) => void
}

/** The process of an extension behind the sandbox, with no workspace and no network, and the calls that it works on. */
export class WorkerProcess {
  /** Settles when nothing of it is left, with the reason. */
  readonly gone: Promise<ToolError>
  private readonly pending = new Map<number, Pending>()
  private readonly id: string
  private lastId = 0
  private readonly lines = new BoundedLines(maxLineBytes)
  private readonly rate = new RateLimiter(messageLimits)
  private ready: (error?: ToolError) => void = () => undefined
  private failure: ToolError | undefined

  static async start(request: WorkerRequest): Promise<WorkerProcess> {
    const { manifest, folder, servers, signal, onAttempt } = request
    const node = await servers.find("node")
    if (node === undefined) throw unusable(manifest.id, "there is no node on this machine that it could run in")
    const program = workerProgram()
    const server = await servers.start({
      name: `extension "${manifest.id}"`,
      argv: [
        ...["/bin/sh", "-c", limited, "sh", node, `--max-old-space-size=${heapMegabytes}`],
        // DEP0205: hooks of modules that need no thread of their own are not in Node 20.
        ...["--disable-warning=ExperimentalWarning", "--disable-warning=DEP0205", program],
        ...[join(folder, manifest.worker), ...manifest.tools.map(({ id }) => id)],
      ],
      environment: {},
      workspace: "none",
      hosts: [],
      readable: [folder, dirname(program)],
      data: `extension-${manifest.id}`,
      signal,
    })
    const worker = new WorkerProcess(manifest.id, server, onAttempt)
    if (server.isolation.level === "none") {
      await worker.end()
      throw unusable(manifest.id, "nothing confines it here, and it runs in a sandbox only; see haft doctor")
    }
    await worker.send({ type: "begin" })
    await worker.untilReady()
    return worker
  }

  private constructor(
    id: string,
    private readonly server: RunningServer,
    private readonly onAttempt: (what: string) => void,
  ) {
    this.id = id
    this.gone = server.gone.then((reason) => this.ended(reason))
    void this.read()
  }

  /** Hands a call over; resolves to what the handler returned. */
  async invoke(
    call: { readonly tool: string; readonly args: unknown; readonly timeoutMs: number; readonly signal: AbortSignal },
    onRequest: OnRequest,
  ): Promise<unknown> {
    if (this.failure) throw this.failure
    if (this.pending.size >= maxPending) throw tooBusy(this.id)
    this.lastId += 1
    const id = this.lastId
    const { tool, args, timeoutMs, signal } = call
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener("abort", stop)
        this.pending.delete(id)
      }
      // A handler that neither listens nor gives up its turn is ended with the worker; others have to start it again.
      const give = (error: unknown) => {
        if (!this.pending.has(id)) return
        void this.send({ type: "cancel", id })
        setTimeout(
          () => this.cancelled.delete(id) && void this.end(unusable(this.id, "it did not stop when it was told to")),
          graceMs,
        ).unref()
        this.cancelled.add(id)
        done()
        reject(error)
      }
      const stop = () => give(signal.reason)
      const timer = setTimeout(() => give(tookTooLong(this.id, tool, timeoutMs)), timeoutMs)
      this.pending.set(id, {
        onRequest,
        settle: ({ result, error }) => {
          done()
          if (error === undefined) resolve(result)
          else reject(failed(this.id, error))
        },
        fail: (error) => {
          done()
          reject(error)
        },
      })
      signal.addEventListener("abort", stop, { once: true })
      if (signal.aborted) stop()
      else void this.send({ type: "invoke", id, tool, args })
    })
  }

  /** Calls that were given up and not answered yet. */
  private readonly cancelled = new Set<number>()

  async end(reason?: ToolError): Promise<void> {
    await this.server.end(reason)
  }

  private async untilReady(): Promise<void> {
    const problem = await new Promise<ToolError | undefined>((resolve) => {
      const timer = setTimeout(
        () => resolve(unusable(this.id, `it was not ready after ${startTimeoutMs} ms`)),
        startTimeoutMs,
      )
      this.ready = (error) => {
        clearTimeout(timer)
        resolve(error)
      }
    })
    if (problem === undefined) return
    await this.end(problem)
    throw problem
  }

  private ended(reason: ToolError | undefined): ToolError {
    const words = reason?.message.replace(/^Cannot use the extension "[^"]*": /, "") ?? "it was ended"
    this.failure = unusable(this.id, words)
    this.ready(this.failure)
    for (const { fail } of [...this.pending.values()]) fail(this.failure)
    return this.failure
  }

  private async send(message: ToWorker): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(message)}\n`)
    await bestEffort("`gone` reports the end of a worker", this.server.write(line))
  }

  private async read(): Promise<void> {
    try {
      for await (const chunk of this.server.output) {
        const reason = this.accept(chunk)
        if (reason !== undefined) return await this.end(unusable(this.id, reason))
      }
    } catch {
      // The end of the process says why.
    }
  }

  /** Takes a piece of output; the reason when nothing more can be taken. */
  private accept(chunk: Uint8Array): string | undefined {
    const tooLong = `it sent a message of more than ${maxLineBytes} bytes`
    for (const line of this.lines.take(chunk)) {
      const reason = line instanceof TooLong ? tooLong : this.take(line.toString("utf8"))
      if (reason !== undefined) return reason
    }
    return this.lines.isTooLong ? tooLong : undefined
  }

  private take(line: string): string | undefined {
    if (!this.rate.take()) return `it floods: more than ${messageLimits.perSecond} messages a second`
    const message = messageIn(line)
    if (message === undefined) return "it sent something that is no message"
    this.handle(message)
    return undefined
  }

  private handle(message: FromWorker): void {
    if (message.type === "ready") this.ready()
    else if (message.type === "failed")
      this.ready(unusable(this.id, `its code failed when it was loaded: ${message.message}`))
    else if (message.type === "attempt") this.onAttempt(message.what)
    else if (message.type === "request") void this.answer(message)
    else if (!this.cancelled.delete(message.id)) {
      const pending = this.pending.get(message.id)
      if (pending === undefined) this.onAttempt("answer a call that it was not given, or a second time")
      pending?.settle(message)
    }
  }

  private async answer({ id, call, tool, args }: Extract<FromWorker, { type: "request" }>): Promise<void> {
    const pending = this.pending.get(call)
    if (pending === undefined) {
      this.onAttempt(`ask for a call of "${tool.slice(0, 60)}" while it works on none`)
      return this.send({ type: "answer", id, error: "No call of yours is running" })
    }
    try {
      await this.send({ type: "answer", id, result: await pending.onRequest(tool, args) })
    } catch (error) {
      await this.send({ type: "answer", id, error: (error as Error).message })
    }
  }
}

function messageIn(line: string): FromWorker | undefined {
  try {
    const message = JSON.parse(line) as Partial<Record<string, unknown>>
    const { type, id, call, tool, what, error, message: words } = message ?? {}
    const isNumber = (value: unknown) => typeof value === "number"
    const isOptionalText = error === undefined || typeof error === "string"
    const fits =
      type === "ready" ||
      (type === "failed" && typeof words === "string") ||
      (type === "attempt" && typeof what === "string") ||
      (type === "result" && isNumber(id) && isOptionalText) ||
      (type === "request" && isNumber(id) && isNumber(call) && typeof tool === "string")
    return fits ? (message as FromWorker) : undefined
  } catch {
    return undefined
  }
}

/** The bundle of the worker: beside the built command, beside this module in the compiled package, or in the compiled package when the sources run. */
function workerProgram(): string {
  const places = ["./extension-worker/", "../dist/extension-worker/"]
  const programs = places.map((place) => fileURLToPath(new URL(`${place}main.mjs`, import.meta.url)))
  const found = programs.find((program) => existsSync(program))
  if (found !== undefined) return found
  throw new ToolError("backend", "Cannot start an extension: the program of its worker is not built", {
    fix: "Run: npm run build",
  })
}

function unusable(id: string, reason: string): ToolError {
  return new ToolError("unavailable", `Cannot use the extension "${id}": ${reason}`, {
    hint: "Go on without it",
    fix: `Look at it with: haft extension list; take it away with: haft extension disable ${id}`,
  })
}

function tooBusy(id: string): ToolError {
  return new ToolError("unavailable", `Cannot call the extension "${id}": it works on ${maxPending} calls already`)
}

function tookTooLong(id: string, tool: string, timeoutMs: number): ToolError {
  return new ToolError("timeout", `Cannot wait for the extension "${id}": "${tool}" took more than ${timeoutMs} ms`)
}

function failed(id: string, error: string): ToolError {
  return new ToolError("backend", `The extension "${id}" failed: ${error}`, {
    hint: "Change the arguments as it says, or go on without it",
  })
}
