import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"
import { nodeCheck, watchCheck } from "./doctor/machine-checks.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

const canConfine = process.platform === "linux" && existsSync("/usr/bin/bwrap")
if (!canConfine) console.warn("skipped: no bubblewrap here, so its probes are not looked at")

const userFile = (text: string) => {
  mkdirSync(bench.config, { recursive: true, mode: 0o700 })
  writeFileSync(join(bench.config, "config.jsonc"), text, { mode: 0o600 })
}

interface Row {
  readonly name: string
  readonly state: string
  readonly found: string
  readonly fix?: string
  readonly probes?: readonly { readonly name: string; readonly ok: boolean }[]
}
const doctor = async (env = {}) => {
  const { code, stdout } = await bench.run(["doctor", "--json"], { env })
  const all = JSON.parse(stdout) as Row[]
  return { code, all, rows: new Map(all.map((row) => [row.name, row])) }
}

describe("haft doctor", () => {
  test("finds everything in order on a machine that has it", async () => {
    const { code, rows } = await doctor()
    expect(code).toBe(0)
    for (const name of [
      "node",
      "shell",
      "git",
      "sharp",
      "disk",
      "ripgrep",
      ...(canConfine ? ["sandbox", "sandbox bwrap"] : []),
      "state",
      "configuration",
      "journal",
      "rules",
      "trust",
    ]) {
      expect(rows.get(name)?.state, name).toBe("ok")
    }
  })

  test.each([
    [8_192, "warn", "8192 may be watched: with more folders each command reads the whole workspace"],
    [524_288, "ok", "524288 may be watched"],
  ] as const)("%s file watches are %s", (limit, state, found) => {
    expect(watchCheck(tmpdir(), limit)).toMatchObject({ state, found })
  })

  test("a folder that cannot be watched is told with its code and the next step", () => {
    expect(watchCheck("/nonexistent")).toEqual({
      name: "file watches",
      state: "warn",
      found: "refused (ENOENT): each command reads the whole workspace",
      fix: "raise fs.inotify.max_user_watches and max_user_instances with sysctl",
    })
  })

  test("files that look like ours and are not read are named with the place that is", async () => {
    bench.write("haft.json", "{}")
    mkdirSync(bench.config, { recursive: true })
    writeFileSync(join(bench.config, "config.json"), "{}")
    const { stdout } = await bench.run(["doctor", "--json"])
    const found = (JSON.parse(stdout) as { found: string; fix?: string }[]).filter((row) =>
      row.found.endsWith("is not read"),
    )
    expect(found.map((row) => [row.found, row.fix])).toEqual([
      [`${join(bench.work, "haft.json")} is not read`, `what it says belongs into ${join(bench.work, "haft.jsonc")}`],
      [
        `${join(bench.config, "config.json")} is not read`,
        `what it says belongs into ${join(bench.config, "config.jsonc")}`,
      ],
    ])
  })

  test("a file that does not parse fails with its line and exit 7", async () => {
    bench.write("haft.jsonc", '{\n  "moed": 1\n}')
    const { code, rows } = await doctor()
    expect(code).toBe(7)
    expect(rows.get("project file")).toMatchObject({ state: "fail", fix: 'Did you mean "mode"?' })
    expect(rows.get("project file")?.found).toContain("line 2")
  })

  test("a damaged journal fails and is left as it is", async () => {
    mkdirSync(bench.home, { mode: 0o700 })
    writeFileSync(
      join(bench.home, "journal.db"),
      "this is no database, but long enough to look like a file of one".repeat(100),
    )
    const { code, rows } = await doctor()
    expect(code).toBe(7)
    expect(rows.get("journal")?.state).toBe("fail")
  })

  test("a rule that fails its own sample fails", async () => {
    bench.write(
      "haft.jsonc",
      '{ "rules": [ { "permission": "fs.read", "pattern": "a", "action": "deny", "match": ["b"] } ] }',
    )
    expect((await doctor()).rows.get("rules")).toMatchObject({ state: "fail", fix: "run haft rule test" })
  })

  test("entries that wait for trust and misspelt variables are warnings", async () => {
    bench.write("haft.jsonc", '{ "mode": "auto" }')
    const { code, rows } = await doctor({ HAFT_MOED: "plan" })
    expect(code).toBe(0)
    expect(rows.get("trust")?.state).toBe("warn")
    expect(rows.get("environment")?.fix).toContain("HAFT_MODE")
  })

  test("every way to confine commands has a row, and one of another system is not missed", async () => {
    const { rows } = await doctor()
    for (const name of ["sandbox bwrap", "sandbox unshare", "sandbox seatbelt"]) {
      expect(rows.get(name)?.found, name).toBeTruthy()
    }
    const isMac = process.platform === "darwin"
    expect(rows.get("sandbox seatbelt")?.state === "none").toBe(!isMac)
  })

  test.skipIf(!canConfine)("bubblewrap is tried with every probe", async () => {
    const { rows } = await doctor()
    expect(rows.get("sandbox bwrap")?.found).toMatch(/^bwrap \S+: (\d+) of \1 probes hold$/)
    expect(rows.get("sandbox bwrap")?.probes).toContainEqual({ name: "filters system calls", ok: true })
  })

  test("a sandbox that is switched off is a warning", async () => {
    mkdirSync(bench.config, { recursive: true, mode: 0o700 })
    writeFileSync(join(bench.config, "config.jsonc"), '{ "sandbox": "off" }', { mode: 0o600 })
    expect((await doctor()).rows.get("sandbox")).toMatchObject({
      state: "warn",
      found: expect.stringContaining("switched off"),
    })
  })

  test("with nothing installed the rows say what to do", async () => {
    const { code, rows } = await doctor({ PATH: "/nowhere" })
    expect(rows.get("shell")).toMatchObject({ state: "fail", fix: expect.stringContaining("bash") })
    const missing = { state: "warn", found: "bwrap is not on PATH", fix: expect.stringContaining("install bubblewrap") }
    if (process.platform === "linux") {
      expect(rows.get("sandbox")).toMatchObject({ state: "fail", fix: expect.stringContaining("install bubblewrap") })
      expect(rows.get("sandbox bwrap")).toMatchObject(missing)
    }
    expect(rows.get("git")).toMatchObject({ state: "warn", fix: expect.stringContaining("git") })
    expect(rows.get("box images")).toMatchObject({ state: "warn", fix: "run haft box image build debian-12" })
    expect(code).toBe(7)
  })

  test("a language server is missed only by a project of its language", async () => {
    bench.write("go.mod", "module example\n")
    const { rows } = await doctor({ PATH: "/nowhere" })
    expect(rows.get("lsp go")).toMatchObject({ state: "warn", fix: expect.stringContaining("gopls") })
    expect(rows.get("lsp rust")?.state).toBe("none")
  })

  test("a limit for a tool that does not exist fails by its name, and the other checks go on", async () => {
    bench.write("haft.jsonc", '{ "limits": { "raed": 10 } }')
    const { code, rows } = await doctor()
    expect(code).toBe(7)
    expect(rows.get("limits.raed")).toMatchObject({
      state: "fail",
      found: expect.stringContaining('there is no tool "raed"'),
      fix: 'Did you mean "limits.read"?',
    })
    expect(rows.get("rules")?.state).toBe("ok")
  })

  test("skills, web search, proxy and clipboard have a row each", async () => {
    const { rows } = await doctor({ PATH: "/nowhere" })
    expect(rows.get("skills")).toMatchObject({ state: "ok" })
    expect(rows.get("web search")).toMatchObject({ state: "ok", found: "services that need no key" })
    expect(rows.get("proxy")).toMatchObject({ state: "ok", found: "none is configured" })
    if (process.platform === "linux") expect(rows.get("clipboard")).toMatchObject({ state: "none" })
  })

  test("each file of an agent or a skill that cannot be used has a row that names it", async () => {
    const rowsOf = async (wanted: string) => (await doctor()).all.filter(({ name }) => name === wanted)
    const counted = { state: "ok", found: "4 can be started" }
    expect(await rowsOf("agents")).toMatchObject([counted])
    for (const name of ["one", "two", "three"]) {
      const text = `---\nname: ${name}\n---\nno description\n`
      bench.write(`.agents/agents/${name}.md`, text)
      bench.write(`.agents/skills/${name}/SKILL.md`, text)
    }
    const row = (name: string, found: RegExp) => ({ name, state: "warn", found: expect.stringMatching(found) })
    expect(await rowsOf("agents")).toMatchObject([
      counted,
      row("agents", /^wrong with .*one\.md: description must say/),
      row("agents", /^wrong with .*three\.md: description must say/),
      row("agents", /^wrong with .*two\.md: description must say/),
    ])
    expect(await rowsOf("skills")).toMatchObject([
      { state: "ok", found: expect.stringMatching(/^\d+ can be loaded$/) },
      row("skills", /^wrong with .*one.*: /),
      row("skills", /^wrong with .*three.*: /),
      row("skills", /^wrong with .*two.*: /),
    ])
    const { stdout } = await bench.run(["doctor"])
    expect(stdout.match(/^warn +agents +wrong with /gm)).toHaveLength(3)
  })

  test("a search service that does not exist is a mistake in the file, and its row names those that do", async () => {
    userFile('{ "webSearch": { "provider": "barve" } }')
    expect((await doctor()).rows.get("user file")).toMatchObject({
      state: "fail",
      found: expect.stringContaining('"barve" for "webSearch.provider": it must be one of ddg, wiki, brave'),
    })
  })

  test.each([
    ['{ "webSearch": { "provider": "tavily" } }', {}, "warn", /Tavily: no key/],
    ['{ "webSearch": { "provider": "tavily" } }', { TAVILY_API_KEY: "secret-1" }, "ok", /^tavily, keys for tavily$/],
    ['{ "webSearch": { "provider": "searxng" } }', {}, "warn", /no address/],
    ['{ "webSearch": { "endpoints": { "serxng": "http://a" } } }', {}, "warn", /no search service "serxng"/],
  ])("with %s the search services are judged before one is asked", async (text, env, state, found) => {
    userFile(text)
    expect((await doctor(env)).rows.get("web search")).toMatchObject({ state, found: expect.stringMatching(found) })
  })

  test.each([
    ["http://user:secret-1@proxy.example:3128", {}, "ok", "http://…@proxy.example:3128"],
    ["proxy.example:3128", {}, "warn", '"proxy.example:3128" is no address of a proxy'],
    ["environment", { HTTPS_PROXY: "http://p:1" }, "ok", "http://p:1"],
    ["environment", {}, "warn", "net.proxy is environment, and neither HTTP_PROXY nor HTTPS_PROXY is set"],
  ])("the proxy %s is told without its password", async (proxy, env, state, found) => {
    userFile(JSON.stringify({ net: { proxy } }))
    expect((await doctor(env)).rows.get("proxy")).toMatchObject({ state, found })
  })

  test.each([
    ["20.18.1", "fail"],
    ["20.19.0", "ok"],
    ["22.0.0", "ok"],
    ["18.20.0", "fail"],
  ])("node %s is %s", (version, state) => {
    expect(nodeCheck(version).state).toBe(state)
  })
})
