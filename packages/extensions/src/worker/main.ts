/**
 * The program of an extension's worker: a process of its own behind the sandbox, which holds nothing of the machine. It loads the
 * code of the extension, hands it the calls, and tells the host what the code tried to reach besides. What confines is the sandbox;
 * the refusals here only make an attempt visible.
 */
import { Console } from "node:console"
import { register } from "node:module"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { isMainThread, MessageChannel, receiveMessageOnPort } from "node:worker_threads"
import type { FromWorker, ToWorker } from "../message.js"
import { initialize, load, resolve } from "./module-hooks.js"

// The same file is loaded for the hooks of modules, in a thread of Node's own.
export { initialize, load, resolve }

type Handler = (args: unknown, context: HandlerContext) => unknown

/** What a handler gets besides its arguments. */
interface HandlerContext {
  readonly signal: AbortSignal
  /** Asks the host for a call of one of the tools that the manifest names. */
  call(tool: string, args: unknown): Promise<unknown>
}

/** What the code of an extension is given. */
interface ExtensionApi {
  registerTool(id: string, handler: Handler): void
  unregisterTool(id: string): void
  listTools(): readonly string[]
}

async function start(program: string, declared: readonly string[]): Promise<void> {
  const { stdin, stdout } = process
  const { port1, port2 } = new MessageChannel()
  const write = (message: FromWorker) => void stdout.write(`${JSON.stringify(message)}\n`)
  const attempt = (what: string) => write({ type: "attempt", what: what.slice(0, 300) })
  const tell = (message: FromWorker) => {
    // What the hooks refused comes before the answer that it belongs to; as an event it may come later.
    for (let refused = receiveMessageOnPort(port1); refused; refused = receiveMessageOnPort(port1))
      attempt(refused.message as string)
    write(message)
  }
  const worker = new ExtensionWorker(tell, declared)
  const begun = new Promise<void>((begin) => {
    createInterface({ input: stdin }).on("line", (line) => {
      const message = JSON.parse(line) as ToWorker
      if (message.type === "begin") begin()
      else worker.take(message)
    })
  })
  port1.on("message", attempt).unref()
  const folder = pathToFileURL(`${program.slice(0, program.lastIndexOf("/"))}/`).href
  register(import.meta.url, { data: { port: port2, folder }, transferList: [port2] })
  takeAway(attempt)
  await begun
  try {
    const { default: activate } = (await import(pathToFileURL(program).href)) as { default?: unknown }
    if (typeof activate !== "function") throw new Error("the worker has no function as its default export")
    await (activate as (api: ExtensionApi) => unknown)(worker.api)
    tell({ type: "ready" })
  } catch (error) {
    tell({ type: "failed", message: wordsOf(error) })
  }
}

/** The handlers of an extension and the calls that they work on. */
class ExtensionWorker {
  readonly api: ExtensionApi
  private readonly handlers = new Map<string, Handler>()
  private readonly running = new Map<number, AbortController>()
  private readonly asked = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>()
  private requests = 0

  constructor(
    private readonly tell: (message: FromWorker) => void,
    declared: readonly string[],
  ) {
    this.api = Object.freeze({
      registerTool: (id: string, handler: Handler) => {
        if (!declared.includes(id)) throw new Error(`manifest.json does not declare the tool "${id}"`)
        if (this.handlers.has(id)) throw new Error(`the tool "${id}" has a handler already`)
        if (typeof handler !== "function") throw new Error(`the handler of "${id}" is no function`)
        this.handlers.set(id, handler)
      },
      unregisterTool: (id: string) => void this.handlers.delete(id),
      listTools: () => [...this.handlers.keys()],
    })
  }

  take(message: Exclude<ToWorker, { readonly type: "begin" }>): void {
    if (message.type === "invoke") void this.invoke(message)
    else if (message.type === "cancel") this.running.get(message.id)?.abort()
    else {
      const asked = this.asked.get(message.id)
      this.asked.delete(message.id)
      if (message.error === undefined) asked?.resolve(message.result)
      else asked?.reject(new Error(message.error))
    }
  }

  private async invoke({ id, tool, args }: Extract<ToWorker, { type: "invoke" }>): Promise<void> {
    const stop = new AbortController()
    this.running.set(id, stop)
    try {
      const handler = this.handlers.get(tool)
      if (handler === undefined) throw new Error(`the extension registered no handler for "${tool}"`)
      const result = await handler(args, Object.freeze({ signal: stop.signal, call: this.asking(id) }))
      this.tell({ type: "result", id, result: result ?? null })
    } catch (error) {
      this.tell({ type: "result", id, error: wordsOf(error) })
    } finally {
      this.running.delete(id)
    }
  }

  private asking(call: number): HandlerContext["call"] {
    return (tool, args) =>
      new Promise((resolve, reject) => {
        this.requests += 1
        this.asked.set(this.requests, { resolve, reject })
        this.tell({ type: "request", id: this.requests, call, tool: String(tool), args: args ?? {} })
      })
  }
}

const harmless = [
  "version",
  "versions",
  "platform",
  "arch",
  "nextTick",
  "hrtime",
  "uptime",
  "memoryUsage",
  "emitWarning",
]

/** Takes away what code without modules could reach, and tells of it. */
function takeAway(attempt: (what: string) => void): void {
  const real = process
  const environment = new Proxy(
    {},
    {
      get: (_, name) => void attempt(`read the environment variable ${String(name)}`),
      has: (_, name) => attempt(`read the environment variable ${String(name)}`) === undefined && false,
      ownKeys: () => {
        attempt("list the environment")
        return []
      },
    },
  )
  const shown = new Proxy(Object.create(null) as object, {
    get: (_, name) => {
      if (name === "env") return environment
      if (typeof name === "symbol") return undefined
      if (harmless.includes(name)) return Reflect.get(real, name) as unknown
      return void attempt(`use process.${name}`)
    },
    set: () => false,
    getPrototypeOf: () => null,
  })
  const refuse = (what: string) =>
    function refused(target?: unknown): never {
      attempt(`${what} ${String(target ?? "").slice(0, 200)}`.trim())
      throw new Error(`An extension cannot ${what} by itself: ask the host with context.call`)
    }
  const replaced = {
    process: shown,
    console: new Console({ stdout: real.stderr, stderr: real.stderr }),
    fetch: refuse("fetch"),
    WebSocket: refuse("open a socket to"),
    EventSource: refuse("open a stream from"),
  }
  for (const [name, value] of Object.entries(replaced))
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false })
}

function wordsOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 4000) || "it failed without saying why"
  } catch {
    return "it failed without saying why"
  }
}

// In the thread of the hooks there is nothing to start.
if (isMainThread && process.argv[2] !== undefined) await start(process.argv[2], process.argv.slice(3))
