import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BaseContext, Commands, Isolation, Jobs, Repl, SandboxedCall, ToolDefinition } from "@haft/contract"
import { type TestCallOptions, testCall } from "@haft/testkit"
import { createCommands } from "../../host/src/run/command/create-commands.js"
import { SessionJobs } from "../../host/src/run/job/session-jobs.js"
import { SessionRepl } from "../../host/src/run/repl/session-repl.js"
import type { PreparedSandbox, Sandboxes } from "../../host/src/sandbox/sandbox.js"
import { type BenchResult, openBench, type ToolBench } from "./tool-bench.js"

/** What a test may put in the place of a real port. */
export interface ShellBenchOptions {
  /** Changes the command port, for instance to pretend that a program is missing. */
  readonly commands?: (real: Commands) => Commands
}

/** The real ports for processes over a temporary workspace, without a sandbox: what the sandbox holds is tested in host. */
export async function openShellBench(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: ShellBenchOptions = {},
): Promise<ToolBench> {
  const bench = await openBench(files)
  const shell = await shellPorts(bench.workspace.path)
  return {
    ...bench,
    async run(tool, input, callOptions) {
      const call = testCall(tool, bench.ports, callOptions)
      const ports = shell.ports(call.context, callOptions)
      const commands = options.commands?.(ports.commands) ?? ports.commands
      return { ...call, ...(await runTool(tool, input, { ...call.context, ...ports, commands })) }
    },
    async close() {
      await shell.close()
      await bench.close()
    },
  }
}

type CallFacts = Pick<BaseContext, "callId" | "sessionId" | "signal" | "deadlineMs">

/** The ports for processes of a session in this folder. */
export async function shellPorts(directory: string) {
  const sessionFolder = await mkdtemp(join(tmpdir(), "haft-shell-"))
  const historyFolder = join(sessionFolder, "history")
  const place = { directory, roots: [directory], sessionFolder, historyFolder, sandboxes: noSandbox }
  const commands = createCommands(place)
  const jobs = new SessionJobs(place)
  const repl = new SessionRepl(place)
  return {
    ports(call: CallFacts, options?: TestCallOptions): { commands: Commands; jobs: Jobs; repl: Repl } {
      const scope = sandboxedCall(call, options)
      return { commands: commands(scope), jobs: jobs.port(scope), repl: repl.port(scope) }
    },
    async close(): Promise<void> {
      await Promise.all([jobs.close(), repl.close()])
      await rm(sessionFolder, { recursive: true, force: true })
    },
  }
}

async function runTool(
  tool: ToolDefinition,
  input: unknown,
  context: unknown,
): Promise<Pick<BenchResult, "data" | "content" | "text">> {
  const { execute } = await tool.execute()
  const parsed = tool.manifest.input.parse(input)
  const data = tool.manifest.output.parse(await execute(parsed, context as never))
  const content = tool.present(data, parsed)
  return { data, content, text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") }
}

function sandboxedCall(context: CallFacts, options: TestCallOptions | undefined): SandboxedCall {
  const { callId, sessionId, signal, deadlineMs } = context
  const grant = {
    admits: () => true,
    mayKeep: () => true,
    denies: () => false,
    sandbox: { profile: "workspace-write", hosts: [], approved: [], unconfined: true },
    ...options?.grant,
  } as const
  return { callId, sessionId, signal, deadlineMs, grant, observe: () => undefined }
}

const isolation: Isolation = {
  level: "none",
  backend: "none",
  profile: "none",
  network: "host",
  limits: { enforcedBy: "none" },
  notes: [],
}

const noSandbox: Pick<Sandboxes, "prepare"> = {
  async prepare({ directory, environment }): Promise<PreparedSandbox> {
    const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: directory, LANG: "C.UTF-8", ...environment }
    return {
      isolation,
      launch: ([file, ...args]) => ({ file: file!, args, env, cwd: directory, extraFds: [] }),
      release: async () => ({ quarantined: [] }),
    }
  },
}
