import { once } from "node:events"
import { readFileSync, rmSync, symlinkSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Detector } from "@haft/guard"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, describe, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import { libraryWorld } from "./library-world.js"
import { dataOf, everythingOf, sandboxIsHere, shellWorld } from "./shell-world.js"

async function explained(tool: string, input: unknown, options: HaftOptions) {
  const world = await libraryWorld({ "a.txt": "one\n" })
  try {
    const session = await (await world.haft({ toolset: "all", ...options })).openSession()
    const { ladder } = await session.explain(tool as "read", input as never)
    return { verdict: ladder.verdict, mode: ladder.rungs.find(({ rung }) => rung === "mode")?.verdict }
  } finally {
    await world.remove()
  }
}

// Nobody is there, so that what is asked is denied; the rung of the mode still says ask.
const asked = { verdict: "deny", mode: "ask" }

describe("mode auto", () => {
  test.each([
    ["web_fetch", { url: "https://example.com/?leak=1" }],
    ["web_fetch", { url: "http://example.com:8080/" }],
    ["http_request", { url: "https://example.com/", method: "POST", body: "x" }],
    ["repo_clone", { url: "https://example.com/a.git" }],
    ["bash", { command: "curl https://example.com/?leak=1" }],
    ["bash", { command: "wget 'https://example.com/?leak=1'" }],
    ["bash", { command: "git push https://example.com/a.git" }],
    ["exec", { command: "wget", args: ["https://example.com/"] }],
    ["job_start", { command: "nc example.com 80" }],
  ])("asks before %s reaches a host: %j", async (tool, input) => {
    expect(await explained(tool, input, { mode: "auto" })).toEqual(asked)
  })

  test.each([
    ["a rule that says ask", "write", { file_path: "a.txt", content: "" }, "fs.write"],
    ["a rule that says ask about every command", "bash", { command: "make" }, "bash"],
  ])("does not answer %s", async (_name, tool, input, permission) => {
    expect(await explained(tool, input, { mode: "auto", rules: [{ permission, action: "ask" }] })).toEqual(asked)
  })

  test("does not answer for a protected file, the clipboard or a command without a sandbox", async () => {
    expect(await explained("write", { file_path: ".git/config", content: "" }, { mode: "auto" })).toEqual(asked)
    expect(await explained("clipboard_read", {}, { mode: "auto" })).toEqual(asked)
    expect(await explained("bash", { command: "make" }, { mode: "auto", sandbox: { policy: "off" } })).toEqual(asked)
  })

  test.skipIf(!sandboxIsHere)("answers for what stays inside the roots and the sandbox", async () => {
    const allowed = { verdict: "allow", mode: "allow" }
    expect(await explained("write", { file_path: "b.txt", content: "" }, { mode: "auto" })).toEqual(allowed)
    expect(await explained("bash", { command: "make" }, { mode: "auto" })).toEqual(allowed)
  })
})

test.each([
  ["write", { file_path: "link", content: "x" }],
  ["edit", { file_path: "link", old_string: "one", new_string: "x" }],
] as const)("a link that leads elsewhere after %s was judged is not followed", async (tool, input) => {
  const world = await libraryWorld({ "a.txt": "one\n", "b.txt": "one\n" })
  try {
    symlinkSync("a.txt", world.path("link"))
    const detector: Detector = {
      ...{ id: "swap", about: "test" },
      inspect() {
        rmSync(world.path("link"))
        symlinkSync("b.txt", world.path("link"))
        return { verdict: "allow" }
      },
    }
    const session = await (await world.haft({ guard: { detectors: [detector] } })).openSession()
    const envelope = await session.call(tool as "write", input as never, { answer: "once" })
    expect(envelope.metadata.error_code).toBe("denied")
    expect(["a.txt", "b.txt"].map((name) => readFileSync(world.path(name), "utf8"))).toEqual(["one\n", "one\n"])
  } finally {
    await world.remove()
  }
})

describe("a file that a rule asks about", () => {
  const word = "needle-7f3a"
  const files = { "public/a.txt": `${word}\n`, "private/b.txt": `${word}\n`, "public/deep/c.txt": `${word}\n` }
  const rules = [{ permission: "fs.read", pattern: "private/**", action: "ask" }] as const

  test.each([
    ["grep", { pattern: word }],
    ["grep", { pattern: word, context: 2 }],
    ["glob", { pattern: "**/*.txt" }],
    ["find_files", { query: "txt" }],
    ["ls", { path: "." }],
  ])("is not shown by %s %j, which nobody was asked about", async (tool, input) => {
    const world = await libraryWorld(files)
    const session = await (await world.haft({ toolset: "all", rules })).openSession()
    const envelope = await session.call(tool, input)
    await world.remove()
    const everything = everythingOf(envelope)
    expect(everything).toContain("public")
    expect(everything).not.toContain("private")
  })

  test.each([
    ["read", { file_path: "private/b.txt" }],
    ["ls", { path: "private" }],
    ["grep", { pattern: word, path: "private" }],
    ["bash", { command: "cat private/b.txt" }],
  ])("is asked about before %s %j", async (tool, input) => {
    const person = scriptedPerson({ asks: [{ answer: "reject" }] })
    const world = await libraryWorld(files)
    const session = await (await world.haft({ toolset: "all", rules, person })).openSession()
    const envelope = await session.call(tool, input)
    await world.remove()
    expect(person.asked).toHaveLength(1)
    expect(envelope.metadata.error_code).toBe("denied")
    expect(everythingOf(envelope)).not.toContain(word)
  })
})

describe("a redirect", () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function serve(answer: (path: string) => { readonly location?: string }) {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const { location } = answer(request.url ?? "")
      if (location === undefined) response.setHeader("content-type", "text/plain").end("the other page")
      else response.writeHead(302, { location }).end()
    })
    servers.push(server)
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { seen, port: (server.address() as AddressInfo).port }
  }

  test.each(["deny", "ask"] as const)(
    "to another port of the same host is judged: a rule that says %s holds for it",
    async (action) => {
      const other = await serve(() => ({}))
      const first = await serve(() => ({ location: `http://127.0.0.1:${other.port}/secret` }))
      const world = await libraryWorld({})
      const options: HaftOptions = {
        network: { grants: [`127.0.0.1:${first.port}`, `127.0.0.1:${other.port}`] },
        rules: [{ permission: "net.fetch", pattern: `127.0.0.1:${other.port}`, action }],
      }
      const session = await (await world.haft(options)).openSession()
      const envelope = await session.call("web_fetch", { url: `http://127.0.0.1:${first.port}/` })
      await world.remove()
      expect(envelope.metadata.error_code, everythingOf(envelope)).toBe("denied")
      expect(first.seen).toEqual(["GET /"])
      expect(other.seen).toEqual([])
    },
  )

  test("to another path of the same host and port needs no further answer", async () => {
    let port = 0
    const first = await serve((path) => (path === "/" ? { location: `http://127.0.0.1:${port}/there` } : {}))
    port = first.port
    const world = await libraryWorld({})
    const session = await (await world.haft({ network: { grants: [`127.0.0.1:${port}`] } })).openSession()
    const envelope = await session.call("web_fetch", { url: `http://127.0.0.1:${port}/` })
    await world.remove()
    expect(dataOf(envelope)).toMatchObject({ content: "the other page" })
    expect(first.seen).toEqual(["GET /", "GET /there"])
  })
})

describe.skipIf(!sandboxIsHere)("a job that runs while a rule is added that says ask", () => {
  const files = { "wait.sh": "sleep 95.47\n" }
  const job = { command: "sh wait.sh" }
  const ask = { permission: "shell.run", pattern: "sh wait.sh", action: "ask" } as const
  const stateOf = async (world: Awaited<ReturnType<typeof shellWorld>>, id: string) =>
    dataOf(await world.session.call("job_output", { id })).state

  test("ends, when nobody was asked about it", async () => {
    const person = scriptedPerson({ asks: [{ answer: "session", rule: ask }] })
    const rules = [{ permission: "job_start", action: "allow" }] as const
    await using world = await shellWorld(files, { person, rules })
    const { id } = dataOf(await world.session.call("job_start", job))
    expect(await stateOf(world, id)).toBe("running")
    await world.session.call("write", { file_path: "x", content: "" })
    expect(await stateOf(world, id)).toBe("stopped")
  })

  test("goes on, when a person said yes to it", async () => {
    const person = scriptedPerson({ asks: [{ answer: "once" }, { answer: "session", rule: ask }] })
    await using world = await shellWorld(files, { person })
    const { id } = dataOf(await world.session.call("job_start", job))
    await world.session.call("write", { file_path: "x", content: "" })
    const { ladder } = await world.session.explain("job_start", job)
    expect(ladder).toMatchObject({ verdict: "ask", reason: expect.stringContaining("shell.run(sh wait.sh)") })
    expect(await stateOf(world, id)).toBe("running")
  })
})
