import { randomBytes } from "node:crypto"
import type { Readable, Writable } from "node:stream"
import { ToolError } from "@haft/contract"
import type { ServeHost } from "@haft/mcp"
import type { Haft } from "../../library/create-haft.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { openHaft } from "../open-haft.js"
import { note, printValue } from "../print.js"
import { checkWideRoot, flagRules, type Setup, setUp } from "../setup.js"
import { packageVersion } from "../version.js"
import { type Serving, servedTools } from "./served-tools.js"

/** `haft mcp`: our tools for clients of the Model Context Protocol, over standard input and output or over HTTP. */
export const run: Run = async (invocation, io) => {
  const port = portOf(invocation)
  const setup = await setUp(invocation, io)
  await checkWideRoot(setup)
  const serving = await servedTools(invocation, [...setup.configuration.rules, ...(await flagRules(invocation))])
  const host = new ProgramHost(invocation, io, setup, serving)
  try {
    if (port === undefined) await overStdio(host, io)
    else await overHttp(host, port, invocation, io)
  } finally {
    await host.close()
  }
  return exitCodes.ok
}

async function overStdio(host: ServeHost, io: Io): Promise<void> {
  const { serveStdio } = await import("@haft/mcp")
  if (io.stdin.isTTY)
    host.note("haft mcp speaks with a program on standard input; for a configuration: haft mcp config")
  // Nobody reads any more: what runs is ended first.
  const gone = new AbortController()
  io.onUnread?.(() => gone.abort())
  const signal = io.signal ? AbortSignal.any([io.signal, gone.signal]) : gone.signal
  await serveStdio(host, { input: io.stdin as Readable, output: io.stdout as unknown as Writable, signal })
}

async function overHttp(host: ServeHost, port: number, invocation: Invocation, io: Io): Promise<void> {
  const { serveHttp } = await import("@haft/mcp")
  const given = invocation.text("token")
  const token = given ?? randomBytes(32).toString("base64url")
  const server = await serveHttp(host, { port, token })
  const { url } = server
  // A token that the person chose is known to them.
  const header = given === undefined ? [`Authorization: Bearer ${token}`] : []
  printValue(invocation, io, { url, ...(given === undefined && { token }) }, () => [url, ...header].join("\n"))
  host.note("Ctrl-C ends the server")
  try {
    await aborted(io.signal)
  } finally {
    await server.close()
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener("abort", () => resolve(), { once: true })
  })
}

const shortestToken = 16

function portOf(invocation: Invocation): number | undefined {
  const text = invocation.text("http")
  const token = invocation.text("token")
  if (text === undefined) {
    if (token === undefined) return undefined
    throw new ToolError("invalid_args", 'Cannot use "--token" without "--http": a client on standard input needs none')
  }
  if (token !== undefined && (token.length < shortestToken || /\s/.test(token))) {
    throw new ToolError(
      "invalid_args",
      `Cannot use this "--token": it must have at least ${shortestToken} characters and no blank`,
      {
        hint: "Leave it out, and a good one is made and printed",
      },
    )
  }
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new ToolError("invalid_args", `Cannot use "${text}" for "--http": it must be a port from 0 to 65535`, {
    hint: "As in: haft mcp --http 4178; 0 takes one that is free",
  })
}

/** What the server needs of this program. Haft is opened with the first call, so that the first answer comes at once. */
class ProgramHost implements ServeHost {
  readonly version = packageVersion()
  readonly instructions: string
  readonly mayAsk: boolean
  private haft: Promise<Haft> | undefined
  private listed: ReturnType<Serving["tools"]> | undefined

  constructor(
    private readonly invocation: Invocation,
    private readonly io: Io,
    private readonly setup: Setup,
    private readonly serving: Serving,
  ) {
    this.mayAsk = !invocation.flag("headless")
    this.instructions = `Tools for the files and programs in ${setup.roots.join(", ")}. Relative paths start in ${setup.directory}. Each call is checked against rules: a refusal says what to do instead.`
  }

  tools(): ReturnType<Serving["tools"]> {
    this.listed ??= this.serving.tools()
    return this.listed
  }

  async openSession(): Promise<Awaited<ReturnType<ServeHost["openSession"]>>> {
    this.haft ??= this.open().catch((error: unknown) => {
      this.haft = undefined
      throw error
    })
    const { hostSession } = await import("../../mcp/serve-host.js")
    const id = this.invocation.text("session")
    return hostSession(await (await this.haft).openSession(id === undefined ? {} : { id }), this.serving.dialect)
  }

  async askWords(request: Parameters<ServeHost["askWords"]>[0]): Promise<string> {
    return (await import("../../mcp/serve-host.js")).askWords(request, this.invocation.say)
  }

  async personStep(envelope: Parameters<ServeHost["personStep"]>[0]): Promise<string | undefined> {
    return (await import("../../mcp/serve-host.js")).personStep(envelope, this.invocation.say)
  }

  note(text: string): void {
    note(this.invocation, this.io, text)
  }

  async close(): Promise<void> {
    await (await this.haft)?.close()
  }

  private async open(): Promise<Haft> {
    const { invocation, io, setup, serving } = this
    const { haft } = await openHaft(invocation, io, {
      touchesFiles: true,
      setup,
      only: serving.ids,
      // Questions go to the person at the client, call by call; a terminal belongs to the client.
      person: "headless",
    })
    return haft
  }
}
