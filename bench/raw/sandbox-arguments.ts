import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { createSandboxes } from "../../packages/host/src/sandbox/index.js"
import type { RawProgram } from "./run-raw.js"

/** bubblewrap with the arguments that Haft gives it for one command, ready to be spawned once. */
export interface SandboxedProgram {
  readonly program: RawProgram
  release(): Promise<unknown>
}

/** Makes launches in the sandbox of a read-only command, as a session would, but leaves the start to the caller. */
export async function openSandbox(root: string, state: string) {
  const at = (name: string) => join(state, name)
  await mkdir(at("session/scratch"), { recursive: true })
  const sandboxes = await createSandboxes({
    policy: "required",
    backends: ["bwrap"],
    roots: [root],
    directory: root,
    sessionFolder: at("session"),
    haftHome: at("haft"),
    cacheFolder: at("cache"),
    home: process.env.HOME ?? "/",
    path: process.env.PATH ?? "/usr/bin:/bin",
  })
  return {
    async prepare(argv: readonly string[]): Promise<SandboxedProgram> {
      const sandbox = await sandboxes.prepare({
        sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
        directory: root,
        environment: {},
        denies: () => false,
        rulesKey: "bench",
        signal: new AbortController().signal,
      })
      const { file, args, env, cwd, extraFds } = sandbox.launch(argv)
      return { program: { file, args, env, cwd, extraFds }, release: () => sandbox.release() }
    },
    close: () => sandboxes.close(),
  }
}

/** The least that can be called a sandbox: the machine's files read-only, a process table and devices of its own. */
export const minimalSandbox: readonly string[] = [
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--unshare-all",
]
