import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { LanguageRequest, SandboxedCall } from "@haft/contract"
import type { Sandboxes } from "@haft/host"
import { openSessionFiles } from "@haft/host"
import { plainSandbox } from "../../host/src/run/process/testing/test-sandboxes.js"
import { createLanguageServers, type LanguageServersOptions } from "../src/language-servers.js"

/** Language servers over a temporary project, and whom they started. */
export interface LanguageBench {
  readonly root: string
  readonly call: SandboxedCall
  /** Programs that were started, in their order. */
  readonly starts: readonly (readonly string[])[]
  readonly servers: ReturnType<typeof createLanguageServers>
  ask(request: Omit<LanguageRequest, "signal">, call?: SandboxedCall): ReturnType<ReturnType<typeof askOf>>
  /** Writes as a tool would: the servers are notified of what was replaced. */
  write(path: string, content: string): Promise<void>
  /** Writes as another program would. */
  writeOutside(path: string, content: string): Promise<void>
  afterWrite(
    path: string,
  ): ReturnType<ReturnType<typeof createLanguageServers>["languages"]>["afterWrite"] extends (
    path: string,
  ) => infer Result
    ? Result
    : never
  close(): Promise<void>
}

const modules = resolve(dirname(fileURLToPath(import.meta.url)), "../../../node_modules")

/** Opens a project with these files and, on request, the TypeScript of this repository. */
export async function openLanguageBench(
  files: Readonly<Record<string, string>>,
  options: Partial<LanguageServersOptions> & { readonly typescript?: boolean } = {},
): Promise<LanguageBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "haft-lsp-")))
  const state = await realpath(await mkdtemp(join(tmpdir(), "haft-lsp-state-")))
  const writeOutside = async (path: string, content: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) await writeOutside(path, content)
  if (options.typescript) await symlink(modules, join(root, "node_modules"))
  const session = openSessionFiles({
    roots: [root],
    directory: root,
    sessionFolder: join(state, "session"),
    historyFolder: join(state, "history"),
  })
  const starts: (readonly string[])[] = []
  const sandboxes: Pick<Sandboxes, "prepare"> = {
    prepare: async (request) => {
      const sandbox = plainSandbox(request)
      return {
        ...sandbox,
        launch: (argv) => {
          starts.push(argv)
          return sandbox.launch(argv)
        },
      }
    },
  }
  const servers = createLanguageServers({
    sandboxes,
    roots: [root],
    files: session.files,
    trusted: true,
    path: "/nonexistent",
    ...options,
  })
  const call = testCall()
  return {
    root,
    call,
    starts,
    servers,
    ask: (request, asCall = call) => askOf(servers, asCall)(request),
    writeOutside,
    async write(path, content) {
      const before = await readFile(join(root, path)).catch(() => undefined)
      await writeOutside(path, content)
      servers.noteWrite(join(root, path), before)
    },
    afterWrite: (path) => servers.languages(call).afterWrite(path),
    async close() {
      await servers.close()
      await session.close()
      await rm(root, { recursive: true, force: true })
      await rm(state, { recursive: true, force: true })
    },
  }
}

function askOf(servers: ReturnType<typeof createLanguageServers>, call: SandboxedCall) {
  return (request: Omit<LanguageRequest, "signal">) => servers.languages(call).ask({ ...request, signal: call.signal })
}

/** A call that may do everything, but for what the test says. */
export function testCall(denies: (path: string) => boolean = () => false, signal?: AbortSignal): SandboxedCall {
  return {
    callId: "call_test",
    sessionId: "session_test",
    signal: signal ?? new AbortController().signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    grant: {
      admits: (_, path) => !denies(path),
      mayKeep: () => true,
      denies: (_, path) => denies(path),
      sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
    },
    observe: () => undefined,
  }
}
