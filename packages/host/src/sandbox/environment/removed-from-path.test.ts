import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { basename, join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { programsWithout } from "../testing/programs-without.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

describe.skipIf(!backendsHere.includes("unshare"))("a PATH", () => {
  let bench: SandboxBench | undefined
  let folder: string | undefined
  afterEach(async () => {
    await bench?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })
  const openWithout = async (...programs: readonly string[]) => {
    folder = programsWithout(...programs)
    bench = await makeSandboxBench({ path: folder, backends: ["bwrap", "unshare"] })
    return bench
  }

  test("[C2-92] without bubblewrap gives a sandbox of unshare, which says so and holds", async () => {
    const { run } = await openWithout("bwrap")
    const { sandbox, stdout } = await run("echo x > /etc/x; grep CapEff /proc/self/status | cut -f2; ls /home")
    expect(sandbox.isolation).toMatchObject({ backend: "unshare", level: "namespaces", network: "none" })
    expect(sandbox.isolation.notes).toContain("no system-call filter")
    // In /home there is at most the folder of the private home.
    expect(stdout.split("\n").filter((line) => line !== basename(homedir()))).toEqual(["0000000000000000", ""])
  })

  test("[C2-92] without unshare too is a refusal with the fix", async () => {
    const { prepare } = await openWithout("bwrap", "unshare")
    await expect(prepare()).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining("unshare not found on PATH"),
      fix: expect.stringContaining("apt-get install bubblewrap"),
    })
  })

  test("none of whose folders is shown makes no program of the workspace a part of the sandbox or a command", async () => {
    const { root, run } = await openWithout("bwrap")
    for (const name of ["mount", "mkdir", "pivot_root", "cat"]) {
      writeFileSync(join(root, name), `#!/bin/sh\necho ${name} >> ${root}/ran\n`)
      chmodSync(join(root, name), 0o755)
    }
    const { code, stdout } = await run("echo $PATH; cat < /dev/null")
    expect([code, stdout]).toEqual([0, "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\n"])
    expect(existsSync(join(root, "ran"))).toBe(false)
  })

  test("of an ordinary user, without the folder of pivot_root, is enough for unshare and goes on to the command", async () => {
    bench = await makeSandboxBench({ path: "/usr/bin:/bin", backend: "unshare" })
    const { failure, stdout } = await bench.run("echo $PATH")
    expect([failure, stdout]).toEqual([undefined, "/usr/bin:/bin\n"])
  })
})
