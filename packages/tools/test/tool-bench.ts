import { mkdtemp, rm } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { createBox } from "@haft/box"
import { createCompute } from "@haft/compute"
import type { Content, SessionPorts, ToolDefinition } from "@haft/contract"
import { createClipboard, createLauncherIndex } from "@haft/desktop"
import { openSessionPorts } from "@haft/host"
import { createLanguageServers } from "@haft/lsp"
import { openSkills } from "@haft/project"
import {
  type TemporaryWorkspace,
  type TestCall,
  type TestCallOptions,
  temporaryWorkspace,
  testCall,
} from "@haft/testkit"

/** The real ports of this machine over a temporary workspace. */
export interface ToolBench {
  readonly workspace: TemporaryWorkspace
  readonly ports: SessionPorts
  /** Runs a tool as a call would, without a judge: input and output go through their schemas. */
  run(tool: ToolDefinition, input: unknown, options?: TestCallOptions): Promise<BenchResult>
  close(): Promise<void>
}

/** What a call on the bench gave. */
export interface BenchResult extends Omit<TestCall, "context"> {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the data of every tool.
  readonly data: any
  readonly content: readonly Content[]
  /** What the model reads, as one text. */
  readonly text: string
}

/** Opens the real ports over a workspace with these files. */
export async function openBench(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<ToolBench> {
  const workspace = await temporaryWorkspace(files)
  const { ports, close } = await openPorts(workspace)
  return {
    workspace,
    ports,
    run: async (tool, input, options) => {
      const call = testCall(tool, ports, options)
      const { execute } = await tool.execute()
      const parsed = tool.manifest.input.parse(input)
      const data = tool.manifest.output.parse(await execute(parsed, call.context as never))
      const content = tool.present(data, parsed)
      return {
        ...call,
        data,
        content,
        text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
      }
    },
    async close() {
      await close()
      await workspace.remove()
    },
  }
}

/** The real ports over a workspace that exists. */
export async function openPorts(workspace: TemporaryWorkspace) {
  const home = await mkdtemp(join(tmpdir(), "haft-home-"))
  const ports = await openSessionPorts({
    roots: [workspace.path],
    directory: workspace.path,
    services: {
      network: { netGrants: [] },
      compute: async () => createCompute(),
      // No display: the clipboard is a buffer of the session.
      clipboard: async () => createClipboard({ environment: {} }),
      launcher: async (skills) =>
        createLauncherIndex({
          databaseFile: join(home, "launcher.json"),
          applicationFolders: [],
          roots: [workspace.path],
          commands: [],
          tools: [],
          skills,
        }),
      skills: async () =>
        openSkills({ roots: [workspace.path], userHome: home, configured: [], bundled: undefined, trusted: false }),
      settings: () => ({ get: noSettings, set: noSettings }),
    },
    sessionFolder: join(home, "session"),
    historyFolder: join(home, "history"),
    processes: {
      languages: async (place) => createLanguageServers({ ...place, trusted: true }),
      // What the sandbox holds is tested in host; here a machine without one may run the tools too.
      sandbox: {
        policy: "preferred",
        haftHome: home,
        cacheFolder: join(home, "cache"),
        // The real one: programs of the user may be installed below it.
        home: homedir(),
        path: process.env.PATH ?? "/usr/bin:/bin",
      },
      box: (outputFolder) => createBox({ imagesFolder: join(home, "box") }, { outputFolder }),
    },
  })
  return {
    ports,
    async close() {
      await ports.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function noSettings(): Promise<never> {
  throw new Error("the bench has no settings")
}
