import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { AnyManifest, Envelope, RequirementSet } from "@haft/contract"
import { catalog } from "@haft/tools"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { HaftOptions } from "../../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "../library-world.js"
import { seed001 } from "./seed-001.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "README.md": "one\ntwo\n" })
})
afterEach(() => world.remove())

const open = async (options: HaftOptions = {}) => (await world.haft(options)).openSession()
const everything: HaftOptions = { rules: [{ permission: "*", action: "allow" }] }
const manifestOf = (id: string) =>
  catalog.find(({ manifest }) => manifest.id === id)!.manifest as AnyManifest & { requires: RequirementSet }

function failed(envelope: Envelope) {
  if (envelope.type !== "error") throw new Error(`expected an error, got ${JSON.stringify(envelope)}`)
  return { code: envelope.metadata.error_code, text: envelope.error_text }
}

/** What shows a statement, by its number. What is not here is shown by the test whose title the table has, or waits. */
const shown: Readonly<Record<string, () => Promise<void> | void>> = {
  "001-1": async () => {
    for (const { manifest, execute } of catalog) {
      expect(manifest.id).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(manifest.description.length, manifest.id).toBeGreaterThan(20)
      expect(manifest.requires, manifest.id).toBeTypeOf("object")
      expect(execute, manifest.id).toBeTypeOf("function")
    }
    for (const { input_schema } of (await open()).tools({ format: "anthropic" }) as { input_schema: object }[]) {
      expect(input_schema).toMatchObject({ type: "object" })
    }
  },
  "001-2": async () => {
    const { code, text } = failed(await (await open()).call("read", { path: "README.md" } as never))
    expect([code, text]).toEqual(["invalid_args", expect.stringContaining("file_path")])
  },
  "001-3": async () => {
    const manifest = { requires: { shell: [{ cmd: "ls" }] } }
    const session = await open({ ...everything, guard: { manifest } })
    expect((await session.call("bash", { command: "ls" })).type).toBe("output")
    expect(failed(await session.call("bash", { command: "touch zz" })).code).toBe("denied")
  },
  "001-5": async () => {
    const names = (await open({ toolset: "locked" })).toolDefinitions().map(({ name }) => name)
    expect(names.sort()).toEqual(
      [
        ...["bash", "edit", "glob", "grep", "question", "read", "skill", "task", "todo", "tool_search"],
        ...["web_fetch", "web_search", "write"],
      ].sort(),
    )
  },
  "001-7": async () => {
    const reads = { fs: { read: expect.anything() } }
    for (const id of ["read", "glob", "grep"]) expect(Object.keys(manifestOf(id).requires.fs ?? {})).toEqual(["read"])
    expect(manifestOf("read").requires).toMatchObject(reads)
    expect(manifestOf("write").requires.fs?.write).toBeDefined()
    expect(manifestOf("edit").requires.fs).toMatchObject({ read: expect.anything(), write: expect.anything() })
    expect(manifestOf("bash").requires.shell).toBeDefined()
    for (const id of ["todo", "question", "skill", "tool_search"]) expect(manifestOf(id).requires, id).toEqual({})
    expect(manifestOf("web_fetch").requires.net?.hosts).toEqual(["*"])
    const webSearch = { provider: "wiki", endpoints: { wiki: "https://wiki.example/w" } }
    const { hosts } = await (await open({ network: { webSearch } })).explain("web_search", { query: "x" })
    expect(hosts).toEqual(["wiki.example:443"])
  },
  "001-9": async () => {
    const session = await open(everything)
    const change = { file_path: "README.md", old_string: "one", new_string: "1" }
    expect((await session.call("edit", change)).type).toBe("output")
    expect(await session.call("bash", { command: "cat README.md" })).toMatchObject({ data: { stdout: "1\ntwo\n" } })
    // A shell that forgets: what one command sets is not there in the next.
    await session.call("bash", { command: "cd /; x=1" })
    const { data } = (await session.call("bash", { command: "echo $x." })) as { data: { stdout: string } }
    expect(data.stdout).toBe(".\n")
  },
  "001-10": () => {
    for (const id of ["repo_clone", "repo_overview", "apply_patch", "lsp", "plan_exit"]) {
      expect(manifestOf(id).toolset, id).not.toBe("locked")
    }
  },
  "001-11": async () => {
    let asked = 0
    const question = async () => {
      asked += 1
      return [["red"], ["a", "b"]]
    }
    const session = await open({ person: { ask: async () => ({ answer: "reject" }), question } })
    const questions = [{ question: "Which?" }, { question: "Which ones?", multi_select: true }]
    expect(await session.call("question", { questions })).toMatchObject({ data: { answers: [["red"], ["a", "b"]] } })
    expect(asked).toBe(1)
  },
  "001-13": async () => {
    const session = await open()
    const texts = await Promise.all(
      ["a", "b"].map((question) => session.call("question", { questions: [{ question }] })),
    )
    const [first, second] = texts.map((envelope) => failed(envelope).text)
    expect(first).toBe(second)
    expect(failed(await session.call("write", { file_path: "a", content: "" })).code).toBe("denied")
  },
  "001-15": async () => {
    const found = await (await open()).call("tool_search", { query: "read a file" })
    expect(found).toMatchObject({ data: { matches: [], unlisted: 0 } })
  },
  "001-21": async () => {
    const haft = await world.haft({ guard: { manifest: { requires: { fs: { read: ["{foo}/**"] } } } } })
    await expect(haft.openSession()).rejects.toThrow("there is no variable {foo}")
  },
  "001-22": async () => {
    const [read] = catalog.filter(({ manifest }) => manifest.id === "todo")
    const manifest = { ...read!.manifest, id: "wishing", requires: { capabilities: ["teleport"] } }
    await expect(world.haft({ tools: [{ ...read!, manifest } as never] })).rejects.toThrow('"teleport"')
  },
  "001-23": async () => {
    const session = await open()
    for (const input of [{ file_path: "README.md" }, { file_path: "none" }, {}]) {
      const envelope = await session.call("read", input as never)
      expect(envelope.metadata.duration_ms).toBeTypeOf("number")
      expect(["output", "error"]).toContain(envelope.type)
    }
  },
  "001-24": async () => {
    const session = await open(everything)
    const { data, metadata } = (await session.call("bash", { command: "seq 1 100000" })) as Extract<
      Envelope,
      { type: "output" }
    >
    expect(metadata).toMatchObject({ truncated: true, output_path: expect.any(String) })
    expect(data).toMatchObject({ head: expect.stringContaining("1\n2\n") })
    expect((await session.call("read", { file_path: metadata.output_path! })).type).toBe("output")
  },
  "001-25": async () => {
    const lines = Array.from({ length: 205 }, (_, index) => `match ${index}`).join("\n")
    await writeFile(join(world.root, "many.txt"), lines)
    const envelope = await (await open()).call("grep", { pattern: "^match" })
    expect(envelope).toMatchObject({ data: { complete: false }, metadata: { truncated: true } })
  },
  "001-26": () => {
    const limits = ["read", "glob", "grep", "bash", "web_fetch"].map((id) => manifestOf(id).limit)
    expect(limits.map(({ max, unit }) => [max, unit])).toEqual([
      [200_000, "bytes"],
      [1000, "entries"],
      [200, "entries"],
      [200_000, "bytes"],
      [200_000, "bytes"],
    ])
  },
  "001-27": async () => {
    const session = await open(everything)
    const { metadata } = await session.call("bash", { command: "seq 1 100000" })
    const path = metadata.output_path!
    await session.close()
    const next = await open(everything)
    expect((await next.call("read", { file_path: path })).type).toBe("error")
  },
  "001-28": async () => {
    const asked: string[] = []
    const ask = async ({ tool }: { tool: string }) => {
      asked.push(tool)
      return { answer: "once" } as const
    }
    const rules = [{ permission: "fs.write", pattern: "docs/**", action: "allow" }] as const
    const session = await open({ rules, person: { ask, question: async () => [] } })
    await session.call("write", { file_path: "docs/a.md", content: "" })
    await session.call("write", { file_path: "other.md", content: "" })
    expect(asked).toEqual(["write"])
  },
  "001-30": async () => {
    const seen: unknown[] = []
    const inspect = (request: { tool: string; arguments: object; agent: object; sessionId: string }) => {
      seen.push([request.tool, request.arguments, Object.keys(request.agent), request.sessionId])
      return { verdict: "allow" } as const
    }
    const session = await open({ guard: { detectors: [{ id: "sees", about: "a test", inspect }] } })
    await session.call("read", { file_path: "/etc/passwd" })
    await session.call("read", { file_path: "README.md" })
    expect(seen).toEqual([
      ["read", expect.objectContaining({ file_path: "README.md" }), ["requires", "rules"], session.id],
    ])
  },
  "001-33": () => {
    const kinds = ["read", "edit", "grep", "bash", "web_fetch", "skill"].map((id) => manifestOf(id).kind)
    expect(kinds).toEqual(["read", "edit", "search", "execute", "fetch", "think"])
  },
  "001-35": async () => {
    const session = await open(everything)
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300)
    const began = Date.now()
    expect(failed(await session.call("bash", { command: "sleep 60" }, { signal: stop.signal })).code).toBe("cancelled")
    expect(Date.now() - began).toBeLessThan(30_000)
  },
}

for (const { id, statement, state, waits, test: place, title } of seed001) {
  if (state === "waits") test.todo(`${id} ${statement} (waits for the ${waits})`)
  else if (title === undefined) test(`${id} ${statement}`, shown[id]!)
  else test(`${id} ${statement} (${place})`, async () => expect(await readFile(place!, "utf8")).toContain(title))
}
