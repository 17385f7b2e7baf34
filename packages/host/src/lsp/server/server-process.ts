import type { Readable, Writable } from "node:stream"
import { type FileEffectKind, type Isolation, ToolError } from "@haft/contract"
import { markName, nextMark } from "../../process/call-mark.js"
import { startProcess } from "../../process/index.js"
import type { Sandbox } from "../../sandbox/sandbox.js"

/** What a server is started with. */
export interface StartServerOptions {
  readonly argv: readonly string[]
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: Pick<Sandbox, "prepare">
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  readonly signal: AbortSignal
}

/** The process of a server. */
export interface ServerProcess {
  readonly input: Writable
  readonly output: Readable
  readonly isolation: Isolation
  /** Settles when nothing of it is left, with the reason when it went by itself or had to be ended. */
  readonly gone: Promise<ToolError | undefined>
  /** Ends it with all that it started; resolves when it is gone. */
  end(reason?: ToolError): Promise<void>
}

const keptErrorBytes = 4096
const lastWordsMs = 100
const hopelessMs = 3000

/** Starts a server behind a wall: workspace read-only, no network. */
export async function startServerProcess(name: string, options: StartServerOptions): Promise<ServerProcess> {
  const { argv, root, environment, sandbox, denies, signal } = options
  const mark = nextMark()
  const wall = await sandbox.prepare({
    // Not the wall of the call that happens to be the first: the server serves all, and none of them may write with it.
    wall: { profile: "look", hosts: [], approved: [], unconfined: false },
    directory: root,
    environment: { ...environment, [markName]: mark },
    denies,
    signal,
  })
  const started = await startProcess({ wall, mark, argv, stdio: ["pipe", "pipe", "pipe"] }).catch(
    async (error: unknown) => {
      await wall.release()
      throw error
    },
  )
  const { child, launch, tree } = started
  let errors = Buffer.alloc(0)
  child.stderr!.on("data", (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk.subarray(-keptErrorBytes)]).subarray(-keptErrorBytes)
  })
  child.stderr!.on("error", () => undefined)

  let endReason: ToolError | undefined
  let asked = false
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve))
  // The last words come with the close of the pipes, which a child of the server may hold open for longer.
  const lastWords = Promise.race([
    new Promise((resolve) => child.once("close", resolve)),
    exited.then(() => after(lastWordsMs)),
  ])
  const gone = exited.then(async (code) => {
    const byRequest = asked
    await lastWords
    await tree.end()
    await wall.release()
    if (byRequest) return endReason
    const words = errors.toString("utf8")
    return launch.setupFailed(words, code) ?? fell(name, code, words)
  })
  return {
    input: child.stdin!,
    output: child.stdout!,
    isolation: wall.isolation,
    gone,
    async end(reason) {
      if (!asked) endReason = reason
      asked = true
      await tree.end()
      // A process that is stuck inside the kernel cannot be waited for.
      await Promise.race([gone, after(hopelessMs)])
    },
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

function fell(name: string, code: number | null, errors: string): ToolError {
  const lines = errors.split("\n").map((line) => line.trim())
  const words = lines.find((line) => /error|cannot|not found|panic/i.test(line)) ?? lines.find((line) => line !== "")
  const reason = code === null ? "it was killed" : `it ended with code ${code}`
  return new ToolError("backend", `Cannot use the language server "${name}": ${reason}${words ? ` ("${words}")` : ""}`)
}
