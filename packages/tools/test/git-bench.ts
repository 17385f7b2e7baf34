import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createCompute } from "@haft/compute"
import {
  type CommandOutcome,
  type CommandRequest,
  type Commands,
  defaultWebSearchSettings,
  type SessionPorts,
  type ToolDefinition,
} from "@haft/contract"
import { createSearch } from "@haft/host"
import { type TemporaryWorkspace, type TestCallOptions, temporaryWorkspace, testCall } from "@haft/testkit"
import { openSessionFiles } from "../../host/src/files/session-files.js"
import type { BenchResult } from "./tool-bench.js"

/** A temporary workspace with real files and real processes, and no sandbox around them: what a tool itself must hold. */
export interface GitBench {
  readonly workspace: TemporaryWorkspace
  /** The home of the user, whose settings have a trap. */
  readonly home: string
  /** Every command that a tool ran. */
  readonly requests: readonly CommandRequest[]
  run(tool: ToolDefinition, input: unknown, options?: GitCallOptions): Promise<BenchResult>
  /** Runs git as a user would, to set up a test. */
  git(...args: readonly string[]): string
  close(): Promise<void>
}

/** What a test may set about a call. */
export interface GitCallOptions extends TestCallOptions {
  readonly commands?: Partial<Commands>
}

/** Opens a workspace; with `repository` a repository with one commit of the files. */
export async function openGitBench(
  files: Readonly<Record<string, string>> = {},
  { repository = true, directory = "." }: { readonly repository?: boolean; readonly directory?: string } = {},
): Promise<GitBench> {
  const workspace = await temporaryWorkspace(files)
  const home = await mkdtemp(join(tmpdir(), "haft-git-home-"))
  // Settings of the user that must not be obeyed either.
  await writeFile(join(home, ".gitconfig"), `[core]\n\tfsmonitor = touch ${home}/canary\n`)
  const ports = openPorts({ root: workspace.path, directory: join(workspace.path, directory), home })
  const requests: CommandRequest[] = []
  const git = (...args: readonly string[]) => execFileSync("git", [...identity, ...args], setup(workspace.path))
  if (repository) {
    git("init", "--quiet", "--initial-branch=main")
    git("add", "--all")
    git("commit", "--quiet", "--allow-empty", "--message=first")
  }
  return {
    workspace,
    home,
    requests,
    git,
    async run(tool, input, options = {}) {
      const call = testCall(tool, ports, options)
      const commands: Commands = {
        run: (request) => {
          requests.push(request)
          return runPlainly(request, { directory: join(workspace.path, directory), home })
        },
        find: async (program) => (program === "git" ? "/usr/bin/git" : undefined),
        ...options.commands,
      }
      const { execute } = await tool.execute()
      const parsed = tool.manifest.input.parse(input)
      const data = tool.manifest.output.parse(await execute(parsed, { ...call.context, commands } as never))
      const content = tool.present(data, parsed)
      return { ...call, data, content, text: content.map((part) => (part.type === "text" ? part.text : "")).join("") }
    },
    async close() {
      await ports.close()
      await workspace.remove()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Real files; the commands of a call are given with it. */
function openPorts({ root, directory, home }: { root: string; directory: string; home: string }): SessionPorts {
  const folders = { sessionFolder: join(home, "session"), historyFolder: join(home, "history") }
  const files = openSessionFiles({ roots: [root], directory, ...folders })
  const compute = createCompute()
  const none = () => undefined as never
  return {
    ...files,
    ...{ compute, search: createSearch(files), commands: none, jobs: none, repl: none, box: none, languages: none },
    servers: none,
    workspaceFacts: async () => ({ unmasked: [] }),
    ...{ network: none, clipboard: none, index: none, settings: none, skills: { list: none, load: none } },
    webSearchSettings: defaultWebSearchSettings,
    async close() {
      await Promise.all([files.close(), compute.close()])
    },
  }
}

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]

function setup(cwd: string) {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" }
  return { cwd, env, encoding: "utf8" as const, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] }
}

function runPlainly(request: CommandRequest, place: { directory: string; home: string }): Promise<CommandOutcome> {
  const [program, ...args] = request.argv
  const child = spawn(program!, args, {
    cwd: resolve(place.directory, request.directory ?? "."),
    env: { PATH: process.env.PATH, HOME: place.home, ...request.environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: request.timeoutMs,
  })
  return ended(child, request.keepBytes)
}

function ended(child: ChildProcess, keepBytes: number): Promise<CommandOutcome> {
  const stdout = collect(child.stdout!, keepBytes)
  const stderr = collect(child.stderr!, keepBytes)
  return new Promise((settle, fail) => {
    child.on("error", fail)
    child.on("close", (exitCode, signal) => {
      settle({
        stdout: stdout(),
        stderr: stderr(),
        exitCode,
        ...(signal !== null && { signal }),
        timedOut: false,
        isolation: {
          level: "none",
          backend: "none",
          profile: "none",
          network: "host",
          limits: { enforcedBy: "none" },
          notes: [],
        },
        teardown: { ended: 0, survivors: [] },
        changes: { written: [], deleted: [], unexpected: [], protectedCreated: [], complete: true },
      })
    })
  })
}

function collect(stream: NodeJS.ReadableStream, keepBytes: number) {
  const chunks: Buffer[] = []
  stream.on("data", (chunk: Buffer) => chunks.push(chunk))
  return () => {
    const whole = Buffer.concat(chunks)
    const truncated = whole.length > keepBytes
    return { text: whole.subarray(0, keepBytes).toString(), totalBytes: whole.length, truncated }
  }
}
