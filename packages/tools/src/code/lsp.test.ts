import { symlink } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { LanguageServers, SandboxedCall } from "@haft/contract"
import { createLanguageServers } from "@haft/lsp"
import { checkTool, type TemporaryWorkspace, temporaryWorkspace, testCall } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { plainSandbox } from "../../../host/src/run/process/testing/test-sandboxes.js"
import { failure } from "../../test/failure.js"
import { openPorts } from "../../test/tool-bench.js"
import { lsp } from "./lsp.js"

const modules = resolve(dirname(fileURLToPath(import.meta.url)), "../../../../node_modules")
const close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

/** The real servers, started without a sandbox, over a workspace. */
async function contextOver(workspace: TemporaryWorkspace) {
  const { ports, close: closePorts } = await openPorts(workspace)
  const servers = createLanguageServers({
    sandboxes: { prepare: async (request) => plainSandbox(request) },
    roots: [workspace.path],
    files: (call) => ports.files(call),
    trusted: true,
    path: "/nonexistent",
  })
  const { context } = testCall(lsp, ports)
  const call: SandboxedCall = {
    ...{ callId: "call_test", sessionId: "session_test", signal: context.signal, deadlineMs: context.deadlineMs },
    observe: () => undefined,
    grant: {
      ...{ admits: () => true, mayKeep: () => true, denies: () => false },
      sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
    },
  }
  const languages: LanguageServers = servers.languages(call)
  return {
    context: { ...context, languages },
    async close() {
      await servers.close()
      await closePorts()
    },
  }
}

async function run(input: unknown, files: Readonly<Record<string, string>>) {
  const workspace = await temporaryWorkspace(files)
  await symlink(modules, join(workspace.path, "node_modules"))
  const opened = await contextOver(workspace)
  close.push(workspace.remove, opened.close)
  const { execute } = await lsp.execute()
  const parsed = lsp.manifest.input.parse(input)
  const data = lsp.manifest.output.parse(await execute(parsed, opened.context))
  return {
    data,
    text: lsp
      .present(data, parsed)
      .map((part) => (part.type === "text" ? part.text : ""))
      .join(""),
  }
}

const files = {
  "package.json": "{}",
  "a.ts": "export function twice(value: number) {\n  return value * 2\n}\ntwice('x')\n",
}

test("it conforms, and its examples run on the real port", async () => {
  expect(await checkTool(lsp, { folder: "lsp", makeContext: (_, workspace) => contextOver(workspace) })).toEqual([])
})

test("problems are shown by file with place, severity and code", async () => {
  const { data, text } = await run({ action: "diagnostics", file_path: "a.ts" }, files)
  expect(data).toMatchObject({ fresh: true, items: [{ path: "a.ts", line: 4, character: 7, severity: "error" }] })
  expect(text).toMatch(
    /^a\.ts\n4:7 Argument of type .* \(error, ts 2345\)\n\[1 problem; typescript-go 7.*not confined\]$/,
  )
})

test("references are found by name", async () => {
  const { text } = await run({ action: "references", file_path: "a.ts", line: 1, query: "twice" }, files)
  expect(text).toMatch(
    /^a\.ts\n1:17 export function twice\(value: number\) \{\n4:1 twice\('x'\)\n\[2 references; typescript-go/,
  )
})

test("hover is a text; symbols have a kind", async () => {
  const hover = await run({ action: "hover", file_path: "a.ts", query: "twice" }, files)
  expect(hover.text).toMatch(/^function twice\(value: number\): number\n\[hover; /)
  const symbols = await run({ action: "symbols", query: "twice" }, files)
  expect(symbols.text).toMatch(/^a\.ts\n1:17 twice \(function\)\n\[1 symbol; /)
})

test("an incomplete question is refused before anything is asked", async () => {
  for (const input of [{ action: "hover" }, { action: "symbols" }, { action: "hover", file_path: "a.ts", line: 1 }]) {
    expect((await failure(run(input, files))).code).toBe("invalid_args")
  }
})

test("a result that is not fresh says so, and a path cannot pass for two lines", () => {
  const input = { action: "diagnostics", file_path: "a.ts" } as const
  const stale = { items: [], text: "No fresh result", server: "x", fresh: false }
  expect(lsp.present(stale, input)).toEqual([
    {
      type: "text",
      text: "No fresh result\n[No answer about the current text; not fresh: ask again, or run the project's own check; x]",
    },
  ])
  const item = { path: "a\nb", line: 1, character: 1, text: "one\n  two", severity: "error" } as const
  const [part] = lsp.present({ items: [item], server: "x", fresh: true, skipped: { denied: 2 } }, input)
  expect(part).toEqual({ type: "text", text: '"a\\nb"\n1:1 one\n    two (error)\n[1 problem; 2 left out by rules; x]' })
})
