import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionPorts, ToolDefinition } from "@haft/contract"
import { createClipboard, createLauncherIndex, type LauncherIndexOptions } from "@haft/desktop"
import { type TestCallOptions, testCall } from "@haft/testkit"
import { openBench } from "./tool-bench.js"

/** The real ports of the launcher's tools: calculation in a worker, a clipboard without a display, an index of its own. */
export async function openLauncherBench(
  files: Readonly<Record<string, string>> = {},
  options: Partial<LauncherIndexOptions> = {},
) {
  const bench = await openBench(files)
  const home = await mkdtemp(join(tmpdir(), "haft-launcher-"))
  const clipboard = createClipboard({ environment: {}, platform: "linux" })
  const launcher = createLauncherIndex({
    databaseFile: join(home, "usage.json"),
    applicationFolders: [],
    roots: [bench.workspace.path],
    commands: [],
    tools: [],
    skills: async () => [],
    ...options,
  })
  const ports: SessionPorts = { ...bench.ports, clipboard: () => clipboard, index: (call) => launcher.index(call) }
  return {
    launcher,
    async run(tool: ToolDefinition, input: unknown, callOptions: TestCallOptions = {}) {
      const call = testCall(tool, ports, callOptions)
      const { execute } = await tool.execute()
      const parsed = tool.manifest.input.parse(input)
      // biome-ignore lint/suspicious/noExplicitAny: tests look into the data of every tool.
      const data = tool.manifest.output.parse(await execute(parsed, call.context as never)) as any
      const content = tool.present(data, parsed)
      return { data, text: content.map((part) => (part.type === "text" ? part.text : "")).join("") }
    },
    async close() {
      await launcher.close()
      await bench.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The open bench of a launcher's tool. */
export type LauncherBench = Awaited<ReturnType<typeof openLauncherBench>>
