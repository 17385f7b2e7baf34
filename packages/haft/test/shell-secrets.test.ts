import { existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createBox } from "@haft/box"
import { openSessionPorts } from "@haft/host"
import { createLanguageServers } from "@haft/lsp"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { everythingOf, sandboxIsHere, shellWorld } from "./shell-world.js"

const secret = "c0ffee-5ecret-va1ue"
const files = { ".env": `KEY=${secret}\n`, "a.txt": "alpha\n" }
const denyEnv = { permission: "fs.read", pattern: "**/.env", action: "deny" } as const

const waysToRead = [
  "cat .env",
  "head -1 < .env",
  "cp .env x; cat x",
  "bash -c 'cat .env'",
  `python3 -c "print(open('.env').read())"`,
]

describe.skipIf(!sandboxIsHere)("a file that a rule denies", () => {
  test.each(waysToRead)("[C2-82] gives no byte to: %s", async (command) => {
    await using world = await shellWorld(files, { rules: [denyEnv] })
    for (const answer of [undefined, "once"] as const) {
      const envelope = await world.session.call("bash", { command }, answer && { answer })
      expect(everythingOf(envelope)).not.toContain(secret)
    }
  })

  test.each(waysToRead.slice(0, 4))("is refused before anything runs: %s", async (command) => {
    await using world = await shellWorld(files, { rules: [denyEnv, { permission: "bash", action: "allow" }] })
    expect((await world.session.call("bash", { command })).metadata.error_code).toBe("denied")
    expect(existsSync(world.path("x"))).toBe(false)
  })

  test.each(["cat notes/plan.txt", `python3 -c "print(open('notes/plan.txt').read())"`])(
    "may be any file: no default rule has to know it: %s",
    async (command) => {
      const plan = { "notes/plan.txt": `${secret}\n` }
      const deny = { permission: "fs.read", pattern: "notes/**", action: "deny" } as const
      await using open = await shellWorld(plan)
      expect((await open.run(command)).stdout).toContain(secret)
      await using closed = await shellWorld(plan, { rules: [deny] })
      const envelope = await closed.session.call("bash", { command }, { answer: "once" })
      expect(everythingOf(envelope)).not.toContain(secret)
    },
  )

  test("[C2-93] is held by the sandbox alone where rules and analysis see nothing", async () => {
    const allowed = { permission: "bash", action: "allow" } as const
    await using world = await shellWorld(files, { rules: [denyEnv, allowed] })
    const command = `python3 -c "print(open('.env').read())"`
    expect((await world.session.explain("bash", { command })).ladder.verdict).toBe("allow")
    const envelope = await world.session.call("bash", { command })
    expect(envelope).toMatchObject({ type: "output", data: { exit_code: 1, stdout: "" } })
    expect(everythingOf(envelope)).toContain("PermissionError")
  })

  test("is hidden under another name of the same file, and in installed packages", async () => {
    await using world = await shellWorld({
      ...files,
      "node_modules/p/.env": `KEY=${secret}\n`,
      "node_modules/p/i.js": "",
    })
    linkSync(world.path(".env"), world.path("notes.txt"))
    linkSync(world.path(".env"), world.path("node_modules/p/data"))
    for (const command of [
      "cat notes.txt",
      "cat node_modules/p/data",
      "cat $(ls node_modules/p/.e*)",
      "grep -r KEY .",
    ]) {
      for (const answer of [undefined, "once"] as const) {
        const envelope = await world.session.call("bash", { command }, answer && { answer })
        expect(everythingOf(envelope)).not.toContain(secret)
      }
    }
    const started = await world.session.call("job_start", { command: "cat notes.txt" }, { answer: "once" })
    expect(everythingOf(started)).not.toContain(secret)
    const code = "print(open('notes.txt').read())"
    const evaluated = await world.session.call("repl", { language: "python", code }, { answer: "once" })
    expect(everythingOf(evaluated)).not.toContain(secret)
  })

  test("of which installed packages have too many to hide is asked about by its folder", async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`node_modules/p/${n}/.env`, "KEY=1\n"]))
    await using world = await shellWorld({ ...many, "a.txt": "alpha\n" })
    const { ladder } = await world.session.explain("bash", { command: "cat a.txt" })
    expect(ladder.reason).toContain(`101 files in "${world.path("node_modules")}" that rules deny can be read`)
    expect(ladder.verdict).toBe("deny")
  })
})

describe.skipIf(!sandboxIsHere)("with the first two layers switched off", () => {
  // No rules, no analysis, no detector: the ports are asked directly, and only the mask is left.
  test.each(waysToRead)("[C2-93] [C2-99] the mask of the sandbox holds: %s", async (command) => {
    await using world = await shellWorld(files)
    const state = mkdtempSync(join(tmpdir(), "haft-mask-"))
    const ports = await openSessionPorts({
      ...{ roots: [world.root], directory: world.root, adHocFiles: [] },
      ...{ sessionFolder: join(state, "sessions", "one"), historyFolder: join(state, "history") },
      processes: {
        languages: async (place) => createLanguageServers({ ...place, trusted: false }),
        box: (outputFolder) => createBox({ imagesFolder: join(state, "images") }, { outputFolder }),
        sandbox: {
          ...{ policy: "required", haftHome: state, cacheFolder: join(state, "cache") },
          ...{ home: process.env.HOME ?? "/root", path: process.env.PATH ?? "" },
        },
      },
    })
    try {
      const commands = ports.commands({
        ...{ callId: "call", sessionId: "session", signal: new AbortController().signal, observe: () => undefined },
        deadlineMs: Number.POSITIVE_INFINITY,
        grant: {
          ...{ admits: () => true, mayKeep: () => true },
          denies: (kind, path) => kind === "fs.read" && path.endsWith("/.env"),
          sandbox: { profile: "workspace-write", hosts: [], approved: [], unconfined: false },
        },
      })
      const bash = (await commands.find("bash"))!
      const result = await commands.run({ argv: [bash, "-c", command], timeoutMs: 30_000, keepBytes: 10_000 })
      expect(result.exitCode).not.toBe(0)
      expect(JSON.stringify(result)).not.toContain(secret)
      expect(result.stderr.text).toMatch(/Permission denied/)
    } finally {
      await ports.close()
      rmSync(state, { recursive: true, force: true })
    }
  })
})

describe.skipIf(!sandboxIsHere)("variables of the caller", () => {
  beforeEach(() => {
    process.env.HAFT_TEST_PASSWORD = secret
  })
  afterEach(() => {
    delete process.env.HAFT_TEST_PASSWORD
  })

  test("[C2-86] secrets among them are not in env, not in /proc and not in ps", async () => {
    await using world = await shellWorld()
    for (const command of [
      "env",
      "cat /proc/*/environ | tr '\\0' '\\n'",
      "ps axeww",
      "cat /proc/*/cmdline | tr '\\0' ' '",
    ]) {
      const envelope = await world.session.call("bash", { command }, { answer: "once" })
      expect(envelope.type).toBe("output")
      expect(everythingOf(envelope)).not.toContain(secret)
      expect(everythingOf(envelope)).not.toContain("HAFT_TEST_PASSWORD")
    }
  })

  test("[C2-91] a value that a command printed all the same is in no file of Haft afterwards", async () => {
    await using world = await shellWorld({ "a.txt": `password ${secret}\n` })
    expect((await world.run("cat a.txt")).exit_code).toBe(0)
    const entries = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    // What is shown in the place of masked files is empty, and closed to everybody.
    const files = entries.map((entry) => join(entry.parentPath, entry.name)).filter((file) => statSync(file).size > 0)
    const holders = (text: string) => files.filter((file) => readFileSync(file).includes(text))
    expect(holders("password ")).not.toEqual([])
    expect(holders(secret)).toEqual([])
  })
})
