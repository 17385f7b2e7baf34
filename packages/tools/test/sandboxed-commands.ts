import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Commands, SandboxedCall, SandboxSpec } from "@haft/contract"
import { createCommands } from "../../host/src/run/command/create-commands.js"
import { createSandboxes } from "../../host/src/sandbox/index.js"

/** What the sandbox of a test is made from. */
export interface SandboxedOptions {
  readonly root: string
  readonly denies?: (kind: string, path: string) => boolean
  readonly sandbox?: Partial<SandboxSpec>
  readonly netGrants?: readonly string[]
}

/** The real commands in the real sandbox of this machine, for one workspace. */
export async function sandboxedCommands({ root, denies = () => false, sandbox, netGrants = [] }: SandboxedOptions) {
  const state = await mkdtemp(join(tmpdir(), "haft-sandboxed-"))
  const sessionFolder = join(state, "sessions", "one")
  const sandboxes = await createSandboxes({
    ...{ policy: "required", roots: [root], directory: root, sessionFolder, haftHome: state, netGrants },
    cacheFolder: join(state, "cache"),
    home: process.env.HOME ?? "/root",
    path: process.env.PATH ?? "/usr/bin:/bin",
  })
  const call: SandboxedCall = {
    ...{ callId: "call_test", sessionId: "session_test", signal: new AbortController().signal },
    deadlineMs: Number.POSITIVE_INFINITY,
    grant: {
      admits: () => true,
      mayKeep: () => true,
      denies,
      sandbox: { profile: "workspace-write", hosts: [], approved: [], unconfined: false, ...sandbox },
    },
    observe: () => undefined,
  }
  const commands: Commands = {
    ...createCommands({
      ...{ directory: root, roots: [root], sessionFolder, sandboxes },
      historyFolder: join(sessionFolder, "history"),
    })(call),
    denies,
  }
  return {
    commands,
    async close(): Promise<void> {
      await sandboxes.close()
      await rm(state, { recursive: true, force: true })
    },
  }
}
