import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Commands, Wall, WalledCall } from "@haft/contract"
import { createCommands } from "../../host/src/commands/index.js"
import { createSandbox } from "../../host/src/sandbox/index.js"

/** What the wall of a test is made from. */
export interface WalledOptions {
  readonly root: string
  readonly denies?: (kind: string, path: string) => boolean
  readonly wall?: Partial<Wall>
  readonly netGrants?: readonly string[]
}

/** The real commands behind the real wall of this machine, for one workspace. */
export async function walledCommands({ root, denies = () => false, wall, netGrants = [] }: WalledOptions) {
  const state = await mkdtemp(join(tmpdir(), "haft-walled-"))
  const sessionFolder = join(state, "sessions", "one")
  const sandbox = await createSandbox({
    ...{ policy: "required", roots: [root], directory: root, sessionFolder, haftHome: state, netGrants },
    cacheFolder: join(state, "cache"),
    home: process.env.HOME ?? "/root",
    path: process.env.PATH ?? "/usr/bin:/bin",
  })
  const call: WalledCall = {
    ...{ callId: "call_test", sessionId: "session_test", signal: new AbortController().signal },
    deadlineMs: Number.POSITIVE_INFINITY,
    grant: {
      admits: () => true,
      mayKeep: () => true,
      denies,
      wall: { profile: "work", hosts: [], approved: [], unconfined: false, ...wall },
    },
    observe: () => undefined,
  }
  const commands: Commands = {
    ...createCommands({
      ...{ directory: root, roots: [root], sessionFolder, sandbox },
      historyFolder: join(sessionFolder, "history"),
    })(call),
    denies,
  }
  return {
    commands,
    async close(): Promise<void> {
      await sandbox.close()
      await rm(state, { recursive: true, force: true })
    },
  }
}
