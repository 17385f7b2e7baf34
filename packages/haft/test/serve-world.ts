import { request } from "node:http"
import { PassThrough, Readable } from "node:stream"
import type { ApiAsk, ApiSessionOpened, ApiTimeline } from "@haft/contract"
import type { RunningServer, ServeOptions } from "@haft/server"
import { parseInvocation } from "../src/command/invocation.js"
import type { Io } from "../src/command/io.js"
import { main } from "../src/command/main.js"
import { startServer } from "../src/command/serve.js"
import { type Workbench, workbench } from "./workbench.js"

export const token = "0123456789abcdef0123456789abcdef"

/** An answer of the server. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly json: any
}

/** What a request says besides. */
export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is; `json` as JSON. */
  readonly body?: string | Buffer
  readonly json?: unknown
}

/** A server in this process, on a real socket, over a workspace of its own. */
export class Served {
  readonly bench: Workbench
  readonly port: number
  readonly stop: () => Promise<number>

  constructor(bench: Workbench, port: number, stop: () => Promise<number>) {
    this.bench = bench
    this.port = port
    this.stop = stop
  }

  /** Every header is what the test says: fetch would correct some of them. */
  send(path: string, { method, headers = {}, body, json }: Ask = {}): Promise<Answer> {
    const content = json === undefined ? body : JSON.stringify(json)
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: "127.0.0.1", port: this.port, path, agent: false },
          method: method ?? (content === undefined ? "GET" : "POST"),
          headers: {
            authorization: `Bearer ${token}`,
            ...(json !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
        },
        (response) => {
          const pieces: Buffer[] = []
          response.on("data", (piece: Buffer) => pieces.push(piece))
          response.on("end", () => {
            const text = Buffer.concat(pieces).toString()
            const isJson = String(response.headers["content-type"]).startsWith("application/json")
            const parsed = isJson && text !== "" ? (JSON.parse(text) as unknown) : undefined
            resolve({ status: response.statusCode!, headers: response.headers, text, json: parsed })
          })
          response.on("error", reject)
        },
      )
      sent.on("error", reject)
      sent.end(content)
    })
  }

  async open(json: object = { toolset: "all" }): Promise<string> {
    const { json: opened } = await this.send("/api/sessions", { json })
    return (opened as ApiSessionOpened).id
  }

  call(session: string, tool: string, args: unknown, more: object = {}): Promise<Answer> {
    return this.send(`/api/sessions/${session}/calls`, { json: { tool, args, ...more } })
  }

  /** What the journal has of each call of a session. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  async recorded(session: string): Promise<any[]> {
    const { calls } = (await this.send(`/api/sessions/${session}/timeline`)).json as ApiTimeline
    const read = ({ callId }: { callId: string }) => this.send(`/api/sessions/${session}/calls/${callId}`)
    return (await Promise.all(calls.map(read))).map(({ json }) => json)
  }

  /** The first ask that waits and fits. */
  async ask(fits: (ask: ApiAsk) => boolean = () => true): Promise<ApiAsk> {
    for (;;) {
      const { json } = await this.send("/api/asks")
      const found = (json as readonly ApiAsk[]).find(fits)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Reads a stream until the frame that `isLast` names; gives all of them. */
  async frames(path: string, isLast: (frame: Frame) => boolean): Promise<readonly Frame[]> {
    const found: Frame[] = []
    for await (const frame of this.stream(path)) {
      found.push(frame)
      if (isLast(frame)) break
    }
    return found
  }

  async *stream(path: string, signal?: AbortSignal): AsyncGenerator<Frame> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    })
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    let text = ""
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const frames = text.split("\n\n")
      text = frames.pop()!
      for (const frame of frames) if (!frame.startsWith(":")) yield parsed(frame)
    }
  }
}

/** One frame of server-sent events. */
export interface Frame {
  readonly event: string
  readonly id?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly data: any
}

function parsed(text: string): Frame {
  const lines = new Map(
    text.split("\n").map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  )
  const id = lines.get("id")
  return { event: lines.get("event")!, data: JSON.parse(lines.get("data")!), ...(id !== undefined && { id }) }
}

/** Starts `haft serve` in this process; with a bench of an earlier one its state is used again. */
export async function serveHere(words: readonly string[] = [], bench = workbench()): Promise<Served> {
  const { io, stdout, over, said } = ioOf(bench)
  const ended = main(["serve", "--port", "0", "--token", token, "--json", ...words], io)
  const line = await new Promise<string>((resolve, reject) => {
    stdout.once("data", (piece) => resolve(String(piece)))
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${said()}`)))
  })
  const { port } = JSON.parse(line) as { readonly port: number }
  return new Served(bench, port, async () => {
    over.abort()
    return ended
  })
}

/** The same with a hold on the server itself, and with a small log. */
export async function serveInside(
  limits: NonNullable<ServeOptions["limits"]>,
): Promise<Served & { server: RunningServer }> {
  const bench = workbench()
  const { io } = ioOf(bench)
  const { server, world } = await startServer(parseInvocation(["serve"]), io, { port: 0, token, limits })
  const served = new Served(bench, server.port, async () => {
    await server.close()
    await world.close()
    return 0
  })
  return Object.assign(served, { server })
}

function ioOf(bench: Workbench) {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const over = new AbortController()
  let said = ""
  stderr.on("data", (piece) => (said += String(piece)))
  const io: Io = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { PATH: process.env.PATH, ...bench.env },
    cwd: bench.work,
    signal: over.signal,
    managedFile: bench.managedFile,
  }
  return { io, stdout, over, said: () => said }
}
