import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SandboxSpec } from "@haft/contract"
import type { BackendName } from "../backend.js"
import type { SandboxOptions } from "../options.js"
import type { Launch, PreparedSandbox, Release, Sandboxes, SandboxRequest } from "../sandbox.js"
import { createSandboxes } from "../sandboxes.js"

/** A workspace and a state folder of their own, with the sandbox of a session on them. */
export interface SandboxBench {
  readonly base: string
  readonly root: string
  readonly haftHome: string
  readonly sandboxes: Sandboxes
  prepare(request?: RunRequest): Promise<PreparedSandbox>
  /** Runs a line of bash in a sandbox, to its end. */
  run(line: string, request?: RunRequest): Promise<RunResult>
  close(): Promise<void>
}

/** What a test wants to be different from an ordinary command in sandbox `workspace-write`. */
export interface RunRequest extends Partial<Omit<SandboxRequest, "sandbox">> {
  readonly sandbox?: Partial<SandboxSpec>
}

/** How a line of bash ended. */
export interface RunResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly sandbox: PreparedSandbox
  readonly failure: string | undefined
  readonly quarantined: Release["quarantined"]
  readonly note: Release["note"]
}

/** Makes a bench; everything of it is in one temporary folder. The workspace can be filled before the session begins. */
export async function makeSandboxBench(
  options: Partial<SandboxOptions> & { backend?: BackendName; fill?: (root: string) => void } = {},
): Promise<SandboxBench> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-sandbox-")))
  chmodSync(base, 0o755)
  const root = join(base, "workspace")
  const haftHome = join(base, "haft")
  mkdirSync(root)
  const { backend, fill, ...rest } = options
  fill?.(root)
  const sandboxes = await createSandboxes({
    policy: "required",
    roots: [root],
    directory: root,
    sessionFolder: join(haftHome, "sessions", "s1"),
    haftHome,
    cacheFolder: join(haftHome, "cache", "w1"),
    home: process.env.HOME ?? "/root",
    path: process.env.PATH ?? "",
    ...(backend && { backends: [backend] }),
    ...rest,
  })
  const prepare = ({ sandbox, ...request }: RunRequest = {}) =>
    sandboxes.prepare({
      directory: root,
      environment: {},
      denies: () => false,
      signal: new AbortController().signal,
      ...request,
      sandbox: { profile: "workspace-write", hosts: [], approved: [], unconfined: false, ...sandbox },
    })
  return {
    base,
    root,
    haftHome,
    sandboxes,
    prepare,
    async run(line, request) {
      const sandbox = await prepare(request)
      const ended = await runIn(sandbox, ["/bin/bash", "-c", line])
      const { quarantined, note } = await sandbox.release()
      return { ...ended, sandbox, quarantined, note }
    },
    async close() {
      await sandboxes.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Starts a program in a prepared sandbox and waits for its end. */
export function runIn(
  sandbox: PreparedSandbox,
  argv: readonly string[],
): Promise<Pick<RunResult, "code" | "stdout" | "stderr" | "failure">> {
  return endOf(sandbox.launch(argv))
}

/** Starts what a launch says and waits for its end. */
export function endOf(launch: Launch): Promise<Pick<RunResult, "code" | "stdout" | "stderr" | "failure">> {
  const child = spawn(launch.file, [...launch.args], {
    cwd: launch.cwd,
    env: launch.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...launch.extraFds],
  })
  launch.onSpawn?.(child)
  let stdout = ""
  let stderr = ""
  child.stdout!.on("data", (chunk) => (stdout += chunk))
  child.stderr!.on("data", (chunk) => (stderr += chunk))
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", async (code) => {
      const end = await launch.end?.({ exitCode: code }, stderr)
      resolve({ code, stdout, stderr, failure: end?.failure?.message })
    })
  })
}
