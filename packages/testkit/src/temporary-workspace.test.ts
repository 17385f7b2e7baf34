import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { temporaryWorkspace } from "./temporary-workspace.js"

test("a workspace is a real folder with the given files, gone when removed", async () => {
  const workspace = await temporaryWorkspace({ "a/b.txt": "text", "c.bin": new Uint8Array([0, 255]) })
  expect(existsSync(join(workspace.path, "a", "b.txt"))).toBe(true)
  expect(await workspace.readText("a/b.txt")).toBe("text")
  expect([...(await workspace.readBytes("c.bin"))!]).toEqual([0, 255])
  expect(await workspace.readText("missing")).toBeNull()
  await workspace.remove()
  expect(existsSync(workspace.path)).toBe(false)
})

test("a workspace can be bound to a block", async () => {
  const workspace = await temporaryWorkspace()
  await workspace[Symbol.asyncDispose]()
  expect(existsSync(workspace.path)).toBe(false)
})
