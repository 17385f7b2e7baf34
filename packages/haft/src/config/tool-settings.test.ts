import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Settings, ToolError } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { loadConfiguration } from "./load-configuration.js"
import { findPlaces } from "./places.js"
import { displaySettings, hideSecrets, toolSettings } from "./tool-settings.js"

let folder: string
let userFile: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-settings-")))
  userFile = join(folder, "config.jsonc")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function open(user: object = {}): Promise<Settings> {
  writeFileSync(userFile, `// mine\n${JSON.stringify(user)}\n`, { mode: 0o600 })
  const env = { HOME: folder, HAFT_CONFIG: userFile }
  const places = findPlaces(env, folder, join(folder, "managed.jsonc"))
  const configuration = await loadConfiguration({ env, places, roots: [folder], flags: {}, defaultLimit: () => 100 })
  return toolSettings({ configuration, roots: [folder], userFile })
}

async function refused(work: Promise<unknown>): Promise<ToolError> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

describe("display settings", () => {
  test.each([
    ["theme", "dark", "auto"],
    ["verbosity", "quiet", "normal"],
    ["notification", "desktop", "bell"],
  ])("%s can be read and set, and stays in the user's file", async (setting, value, before) => {
    const settings = await open({ mode: "plan" })
    expect(await settings.get(setting)).toBe(before)
    expect(await settings.set(setting, value)).toEqual({ value, previous: before })
    expect(await settings.get(setting)).toBe(value)
    const text = readFileSync(userFile, "utf8")
    expect(text).toContain("// mine")
    expect(text).toContain(`"${setting}": "${value}"`)
    expect(text).toContain('"mode": "plan"')
    expect(await settings.set(setting, before)).toEqual({ value: before, previous: value })
  })

  test("language is the locale's until it is set", async () => {
    const settings = await open()
    expect(await settings.get("language")).toBe(null)
    expect(await settings.set("language", "zh-CN")).toEqual({ value: "zh-CN", previous: null })
    expect(await settings.set("language", "en")).toEqual({ value: "en", previous: "zh-CN" })
    expect(readFileSync(userFile, "utf8")).toContain('"language": "en"')
  })

  test.each([
    ["theme", "pink"],
    ["language", "xx"],
    ["verbosity", 3],
    ["notification", true],
  ] as const)("%s cannot be %j, and the file is unchanged", async (setting, value) => {
    const settings = await open()
    const before = readFileSync(userFile, "utf8")
    expect((await refused(settings.set(setting, value))).code).toBe("invalid_args")
    expect(readFileSync(userFile, "utf8")).toBe(before)
  })
})

describe("everything else", () => {
  test.each([
    "mode",
    "sandbox",
    "rules",
    "roots",
    "trust",
    "net.grants",
    "model",
    "mcpServers",
    "limits",
    "store",
    "env",
  ])("%s can be read and never set", async (setting) => {
    const settings = await open()
    await settings.get(setting)
    const before = readFileSync(userFile, "utf8")
    const error = await refused(settings.set(setting, "auto"))
    expect(error.code).toBe("denied")
    expect(error.message).toContain("only a person may set it")
    expect(readFileSync(userFile, "utf8")).toBe(before)
  })

  test("secrets are not shown, wherever the configuration has them", async () => {
    const settings = await open({
      store: "postgres://me:hunter2@db.test/haft",
      baseUrl: "https://x.test/v1?api_key=hunter2",
      webSearch: { provider: "searxng", endpoints: { searxng: "https://user:hunter2@s.test/?key=hunter2" } },
      mcpServers: {
        x: {
          command: "run",
          args: ["--token=hunter2"],
          env: { API_KEY: "hunter2" },
          auth: { clientSecret: "hunter2" },
        },
      },
      rules: [{ permission: "fs.write", pattern: "src/**", action: "deny" }],
    })
    const keys = [
      "store",
      "baseUrl",
      "webSearch",
      "webSearch.endpoints",
      "mcpServers",
      "mcpServers.x",
      "rules",
      "limits",
    ]
    const shown = await Promise.all(keys.map((key) => settings.get(key)))
    expect(JSON.stringify(shown)).not.toContain("hunter2")
    expect(shown[0]).toBe("postgres://[hidden]@db.test/haft")
    expect(shown[1]).toBe("https://x.test/v1?api_key=[hidden]")
    expect(shown[2]).toMatchObject({ provider: "searxng", callsPerSession: 25 })
    expect(shown[5]).toEqual({
      command: "run",
      args: ["[hidden]"],
      env: { API_KEY: "[hidden]" },
      auth: { clientSecret: "[hidden]" },
    })
    expect(shown[6]).toEqual(["deny fs.write(src/**) [user]"])
  })

  test("what was not set is null, roots and trust are told", async () => {
    const settings = await open()
    expect(await settings.get("model")).toBeNull()
    expect(await settings.get("roots")).toEqual([folder])
    expect(await settings.get("trust")).toEqual({ [folder]: "untrusted" })
  })

  test.each(["colour", "them", "__proto__", "constructor", "", "mode.x"])("%j is not_found", async (setting) => {
    const settings = await open()
    for (const work of [settings.get(setting), settings.set(setting, "x")]) {
      expect((await refused(work)).code).toBe("not_found")
    }
  })

  test("a near name is offered", async () => {
    expect((await refused((await open()).get("them"))).hint).toBe("Did you mean theme?")
    expect(displaySettings).toEqual(["language", "theme", "verbosity", "notification"])
  })
})

test("an address that is none is hidden, and ordinary text is not", () => {
  expect(hideSecrets("postgres://[")).toBe("[hidden]")
  expect(hideSecrets({ command: "a b", net: ["x.test"], password: "p" })).toEqual({
    command: "a b",
    net: ["x.test"],
    password: "[hidden]",
  })
})
