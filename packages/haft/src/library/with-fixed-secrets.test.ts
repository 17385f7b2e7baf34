import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import { withFixedSecrets } from "./with-fixed-secrets.js"

const registry = (secret: () => string) => ({ name: "work", address: "https://npm.example/", header: "x-key", secret })

test("what is used is what the journal knows, whatever the secret becomes", () => {
  let current = "hush-first"
  const { registries, secrets } = withFixedSecrets([registry(() => current)])
  current = "hush-second"
  expect(registries[0]!.secret()).toBe("hush-first")
  expect(secrets).toEqual([{ name: "registry work", value: "hush-first" }])
})

test("a secret that was not there at first is not used later, and why is still said", () => {
  let isThere = false
  const { registries, secrets } = withFixedSecrets([
    registry(() => {
      if (isThere) return "hush-late"
      throw new ToolError("not_configured", "Cannot use the private registry: no secret")
    }),
  ])
  isThere = true
  expect(() => registries[0]!.secret()).toThrow("no secret")
  expect(secrets).toEqual([])
})

test("without registries there is nothing", () => expect(withFixedSecrets()).toEqual({ registries: [], secrets: [] }))
