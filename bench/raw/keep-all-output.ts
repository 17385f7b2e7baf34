import { mkdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { createCommands } from "../../packages/host/src/run/command/create-commands.js"
import { createSandboxes } from "../../packages/host/src/sandbox/index.js"

/** Runs confined commands whose output is kept in full, which a host can ask for and a session does not. */
export async function openKeeping(root: string, state: string) {
  const at = (name: string) => join(state, name)
  await mkdir(at("session/scratch"), { recursive: true })
  const place = { roots: [root], directory: root, sessionFolder: at("session") }
  const sandbox = await createSandboxes({
    ...place,
    policy: "required",
    backends: ["bwrap"],
    haftHome: at("haft"),
    cacheFolder: at("cache"),
    home: process.env.HOME ?? "/",
    path: process.env.PATH ?? "/usr/bin:/bin",
  })
  const commands = createCommands({
    ...place,
    historyFolder: at("history"),
    sandboxes: sandbox,
    sidecarLimits: { headBytes: Number.POSITIVE_INFINITY, tailBytes: 0 },
  })
  return {
    /** Runs a line and gives the size of the file that holds its output. */
    async run(command: string): Promise<{ readonly path: string; readonly bytes: number }> {
      const { outputPath = "", exitCode } = await commands(call).run({
        argv: ["/bin/bash", "-c", command],
        timeoutMs: 600_000,
        keepBytes: 100_000,
      })
      if (exitCode !== 0) throw new Error(`the command ended with ${exitCode}`)
      return { path: outputPath, bytes: (await stat(outputPath)).size }
    },
    close: () => sandbox.close(),
  }
}

const call: Parameters<ReturnType<typeof createCommands>>[0] = {
  callId: "bench",
  sessionId: "bench",
  signal: new AbortController().signal,
  deadlineMs: Number.MAX_SAFE_INTEGER,
  grant: {
    sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
    admits: () => true,
    denies: () => false,
    mayKeep: () => true,
    rulesKey: "bench",
  },
  observe: () => undefined,
}
