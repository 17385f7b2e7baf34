import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench, runIn, type SandboxBench } from "../testing/sandbox-bench.js"

describe.skipIf(backendsHere.length === 0)("a program that the sandbox does not show", () => {
  let tools: string
  let bench: SandboxBench | undefined
  beforeEach(() => {
    tools = realpathSync(mkdtempSync(join(tmpdir(), "haft-tools-")))
    mkdirSync(join(tools, "bin"))
    writeFileSync(join(tools, "bin/mine"), "#!/bin/sh\necho mine\n")
    chmodSync(join(tools, "bin/mine"), 0o755)
  })
  afterEach(async () => {
    await bench?.close()
    rmSync(tools, { recursive: true, force: true })
  })
  const open = async (readable: readonly string[] = []) => {
    bench = await makeSandboxBench({ path: `${tools}/bin:/usr/bin:/bin`, readable })
    return bench.prepare()
  }

  test("is refused before the start, by its name and the setting that would show it", async () => {
    const sandbox = await open()
    for (const program of ["mine", join(tools, "bin/mine")]) {
      expect(() => sandbox.launch([program])).toThrow(
        expect.objectContaining({
          code: "not_configured",
          message: expect.stringContaining(`Cannot run "${program}"`),
          fix: expect.stringContaining('"readable"'),
        }),
      )
    }
    await sandbox.release()
  })

  test("runs once its folder is readable", async () => {
    const sandbox = await open([tools])
    expect(await runIn(sandbox, ["mine"])).toMatchObject({ code: 0, stdout: "mine\n" })
    expect(await runIn(sandbox, [join(tools, "bin/mine")])).toMatchObject({ code: 0, stdout: "mine\n" })
    await sandbox.release()
  })

  test("is also one that a link in the workspace leads to", async () => {
    const sandbox = await open()
    symlinkSync(join(tools, "bin/mine"), join(bench!.root, "link"))
    expect(() => sandbox.launch([join(bench!.root, "link")])).toThrow(
      expect.objectContaining({ code: "not_configured", message: expect.stringContaining(join(tools, "bin/mine")) }),
    )
    await sandbox.release()
  })

  test("is shown all the same where only its link is outside, under its own name", async () => {
    symlinkSync("/usr/bin/true", join(tools, "bin/true"))
    symlinkSync("/usr/bin/true", join(tools, "bin/yes"))
    const sandbox = await open()
    expect(await runIn(sandbox, [join(tools, "bin/true")])).toMatchObject({ code: 0 })
    // One file may be many programs and tell by its name which one it is to be.
    expect(() => sandbox.launch([join(tools, "bin/yes")])).toThrow(expect.objectContaining({ code: "not_configured" }))
    await sandbox.release()
  })

  test("is told from one that is nowhere, and programs of the machine and the workspace run", async () => {
    const sandbox = await open()
    for (const program of ["no-such-program", join(tools, "bin/none")]) {
      expect(() => sandbox.launch([program])).toThrow(expect.objectContaining({ code: "not_found" }))
    }
    writeFileSync(join(bench!.root, "own"), "#!/bin/sh\necho own\n", { mode: 0o755 })
    expect(await runIn(sandbox, [join(bench!.root, "own")])).toMatchObject({ code: 0, stdout: "own\n" })
    expect(await runIn(sandbox, ["./own"])).toMatchObject({ code: 0, stdout: "own\n" })
    expect(await runIn(sandbox, ["true"])).toMatchObject({ code: 0 })
    await sandbox.release()
  })
})
