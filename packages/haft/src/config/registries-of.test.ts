import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { registriesOf } from "./registries-of.js"
import { SettingValues } from "./setting-values.js"

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "haft-registries-"))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const fine = { address: "https://npm.example/", header: "authorization", scheme: "Bearer", secret: "env:WORK_TOKEN" }
const read = (members: object, env: Record<string, string> = {}) => {
  const values = new SettingValues(new Map([["net.registries.work", members]]))
  const [registry] = registriesOf({ configuration: { values }, places: { home } } as never, env)
  return registry!
}
const refusal = (act: () => unknown): ToolError => {
  try {
    act()
  } catch (error) {
    if (ToolError.is(error)) return error
  }
  throw new Error("not refused")
}

test("the secret comes from a variable when it is needed, and not before", () => {
  expect(read(fine, { WORK_TOKEN: "hush" }).secret()).toBe("hush")
  const { code, hint } = refusal(() => read(fine).secret())
  expect([code, hint]).toEqual(["not_configured", "Set WORK_TOKEN and start Haft again"])
})

test("the secret comes from a file of Haft's own state that nobody else may read", () => {
  const registry = read({ ...fine, secret: "file:work" })
  expect(refusal(() => registry.secret()).message).toContain("there is no file")
  mkdirSync(join(home, "secrets"))
  const file = join(home, "secrets", "work")
  writeFileSync(file, "hush\n", { mode: 0o600 })
  expect(registry.secret()).toBe("hush")
  chmodSync(file, 0o644)
  expect(refusal(() => registry.secret()).hint).toBe(`Run: chmod 600 ${file}, and start Haft again`)
})

test.each([
  ["a secret itself", { ...fine, secret: "npm_hush4f1e" }],
  ["a file elsewhere", { ...fine, secret: "file:../config.jsonc" }],
  ["a folder", { ...fine, secret: "file:.." }],
  ["something unknown", { ...fine, token: "npm_hush4f1e" }],
  ["no header", { address: fine.address, secret: fine.secret }],
  ["a header that is no text", { ...fine, header: 7 }],
  ["an authority that is not there", { ...fine, authority: "/nowhere.pem" }],
])("%s is refused, and not repeated", (_what, members) => {
  const { code, message } = refusal(() => read(members))
  expect(code).toBe("not_configured")
  expect(message).not.toContain("hush")
})
