import type { Readable, Writable } from "node:stream"
import { type Isolation, type PathRules, ToolError, type WalledGrant } from "@haft/contract"
import { createLivingProcess } from "@haft/host"
import { markName, nextMark } from "@haft/host"
import { programEnd, startProcess } from "@haft/host"
import type { Sandbox } from "@haft/host"

/** What a server is started with. */
export interface StartServerOptions {
  readonly argv: readonly string[]
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: Pick<Sandbox, "prepare">
  /** What the call that starts it may do. */
  readonly grant: WalledGrant
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
  /** Ends it when these rules are tighter than its wall; resolves to the reason then. */
  obey(rules: PathRules): Promise<string | undefined>
}

const keptErrorBytes = 4096
const lastWordsMs = 100
const hopelessMs = 3000
// Not the wall of the call that happens to be the first: the server serves all, and none of them may write with it.
const asked = { profile: "look", hosts: [], approved: [], unconfined: false } as const

/** Starts a server behind a wall: workspace read-only, no network. */
export async function startServerProcess(name: string, options: StartServerOptions): Promise<ServerProcess> {
  const { argv, root, environment, sandbox, grant, signal } = options
  const mark = nextMark()
  const wall = await sandbox.prepare({
    wall: asked,
    directory: root,
    environment: { ...environment, [markName]: mark },
    denies: (kind, path) => grant.denies(kind, path),
    rulesKey: grant.rulesKey,
    lasting: true,
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

  const living = createLivingProcess({ tree, wall, asked, grant })
  let endReason: ToolError | undefined
  let isAsked = false
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve))
  // The last words come with the close of the pipes, which a child of the server may hold open for longer.
  const lastWords = Promise.race([
    new Promise((resolve) => child.once("close", resolve)),
    exited.then(() => after(lastWordsMs)),
  ])
  const gone = exited.then(async (code) => {
    const byRequest = isAsked
    await lastWords
    await tree.end()
    const words = errors.toString("utf8")
    // The wall can tell why it failed only as long as it is not given back.
    const { failure, exitCode } = await programEnd(launch, { exitCode: code }, words)
    // Nobody waits here who could be told; the next session sweeps what a wall could not give back.
    await wall.release().catch(() => undefined)
    if (byRequest) return endReason
    return failure ?? fell(name, exitCode, words)
  })
  return {
    input: child.stdin!,
    output: child.stdout!,
    isolation: wall.isolation,
    gone,
    async end(reason) {
      if (!isAsked) endReason = reason
      isAsked = true
      await tree.end()
      // A process that is stuck inside the kernel cannot be waited for.
      await Promise.race([gone, after(hopelessMs)])
    },
    async obey(rules) {
      if (isAsked || child.exitCode !== null || child.signalCode !== null) return undefined
      const reason = await living.obey(rules)
      if (reason === undefined) return undefined
      isAsked = true
      await tree.kill()
      await Promise.race([gone, after(hopelessMs)])
      return reason
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
