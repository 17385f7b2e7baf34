import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { checkPlaces } from "./check-places.js"
import { findPlaces } from "./places.js"

let folder: string
let root: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-places-")))
  root = join(folder, "work")
  mkdirSync(root)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const home = () => join(folder, "user")
const refusal = (env: Record<string, string>, roots = [root]): ToolError | undefined => {
  try {
    checkPlaces(findPlaces({ HOME: home(), ...env }, root, join(folder, "managed.jsonc")), roots)
    return undefined
  } catch (error) {
    if (ToolError.is(error)) return error
    throw error
  }
}

describe("places", () => {
  test("follow XDG, and HAFT_HOME and HAFT_CONFIG over it", () => {
    const places = findPlaces({ HOME: "/u", XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "/c" }, "/w", "/m")
    expect(places).toMatchObject({ home: "/d/haft", configHome: "/c/haft", userFile: "/c/haft/config.jsonc" })
    const chosen = findPlaces({ HOME: "/u", HAFT_HOME: "/h", HAFT_CONFIG: "/x.jsonc" }, "/w", "/m")
    expect(chosen).toMatchObject({ home: "/h", configHome: "/u/.config/haft", userFile: "/x.jsonc" })
  })

  test("that do not exist yet are fine", () => {
    expect(refusal({})).toBeUndefined()
  })

  test.each([
    ["HAFT_HOME", () => join(root, ".state")],
    ["HAFT_CONFIG", () => join(root, "my.jsonc")],
    ["XDG_DATA_HOME", () => join(root, "data")],
    ["XDG_CONFIG_HOME", () => root],
    ["HAFT_HOME", () => ".state"],
  ])("chosen by %s inside a root stop the start", (variable, value) => {
    const error = refusal({ [variable]: value() })
    expect(error?.code).toBe("not_configured")
    expect(error?.message).toContain(variable)
    expect(error?.message).toContain("inside the root")
  })

  test("reached through a link into a root stop the start", () => {
    symlinkSync(root, join(folder, "link"))
    expect(refusal({ HAFT_HOME: join(folder, "link", "state") })?.message).toContain("inside the root")
  })

  test("below a root that is wide by itself are left to the floor", () => {
    expect(refusal({ HAFT_HOME: join(home(), "state") }, [folder])).toBeUndefined()
  })

  test.each([0o770, 0o707, 0o722])("with mode %o stop the start", (mode) => {
    const state = join(folder, "state")
    mkdirSync(state)
    chmodSync(state, mode)
    const error = refusal({ HAFT_HOME: state })
    const writable = (mode & 0o022) !== 0
    expect(error?.hint).toBe(writable ? `Run: chmod 700 ${state}` : undefined)
  })

  test("where no folder can be made stop the start, and nobody waits for one to be made in /proc", () => {
    writeFileSync(join(folder, "file"), "", { mode: 0o600 })
    for (const place of [join(folder, "file"), join(folder, "file", "state"), "/proc/state", "/sys/state"]) {
      expect(refusal({ HAFT_HOME: place })).toMatchObject({
        code: "not_configured",
        message: expect.stringContaining(place),
        hint: "Choose a folder of your own",
      })
    }
  })

  test("below a folder that everyone may change stop the start, unless it is sticky", () => {
    const open = join(folder, "open")
    mkdirSync(open)
    chmodSync(open, 0o777)
    expect(refusal({ HAFT_HOME: join(open, "state") })?.message).toContain("everyone may write")
    chmodSync(open, 0o1777)
    expect(refusal({ HAFT_HOME: join(open, "state") })).toBeUndefined()
  })
})
