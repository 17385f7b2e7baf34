import { afterEach, describe, expect, test } from "vitest"
import { backendsHere } from "./testing/installed.js"
import { makeGround, type SandboxGround } from "./testing/sandbox-ground.js"

describe.skipIf(!backendsHere.includes("unshare"))("a PATH", () => {
  let ground: SandboxGround | undefined
  afterEach(async () => {
    await ground?.close()
  })

  test("of an ordinary user, without the folder of pivot_root, is enough for unshare and goes on to the command", async () => {
    ground = await makeGround({ path: "/usr/bin:/bin", backend: "unshare" })
    const { failure, stdout } = await ground.run("echo $PATH")
    expect([failure, stdout]).toEqual([undefined, "/usr/bin:/bin\n"])
  })
})
