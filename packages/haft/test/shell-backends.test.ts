import { spawnSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { programsWithout } from "../../host/src/sandbox/testing/programs-without.js"
import { areHere, sandboxIsHere, shellWorld } from "./shell-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"

describe.skipIf(!sandboxIsHere || !areHere("unshare"))("bubblewrap removed from PATH", () => {
  let haft: SourceCommand
  let folder: string

  beforeAll(async () => {
    haft = await sourceCommand()
    folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-backends-")))
    writeFileSync(join(folder, "a.txt"), "alpha\n")
    writeFileSync(join(folder, ".env"), "KEY=5ecret\n")
  })
  afterAll(() => {
    haft.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs Haft with a PATH on which these programs are not; each run has a state of its own. */
  function callWithout(programs: readonly string[], ...words: readonly string[]) {
    const state = mkdtempSync(join(tmpdir(), "haft-state-"))
    const path = programsWithout(...programs)
    const { stdout, status } = spawnSync(
      process.execPath,
      [haft.program, "call", ...words, "--json", "--root", folder],
      { cwd: folder, encoding: "utf8", env: { ...process.env, HAFT_HOME: state, PATH: path } },
    )
    for (const made of [state, path]) rmSync(made, { recursive: true, force: true })
    return { status, answer: JSON.parse(stdout) }
  }

  test("[C2-92] bash works through unshare, says so, and masks the same", () => {
    const { answer } = callWithout(["bwrap"], "bash", "command=cat a.txt")
    expect(answer.data).toMatchObject({ stdout: "alpha\n", isolation: { level: "namespaces", network: "none" } })
    expect(answer.data.isolation.backend).toMatch(/^unshare/)
    const read = `command=python3 -c "print(open('.env').read())"`
    const masked = callWithout(["bwrap"], "bash", read, "--allow", "bash").answer
    expect(masked.data).toMatchObject({ stdout: "", exit_code: 1 })
    expect(masked.data.stderr).toContain("PermissionError")
  })

  test.each([
    ["bash", "command=cat a.txt"],
    ["exec", "command=cat"],
    ["repl", "language=shell", "code=true"],
  ])("[C2-92] without unshare too, %s refuses with the fix", (...words) => {
    const { answer, status } = callWithout(["bwrap", "unshare"], ...words, "--allow", words[0]!, "--toolset", "all")
    expect(answer).toMatchObject({ type: "error", metadata: { error_code: "not_configured" } })
    expect(answer.metadata.hint).not.toMatch(/bubblewrap|haft /)
    expect(answer.metadata.details.fix).toMatch(/bubblewrap/)
    expect(status).toBe(3)
  })

  test("[C2-92] preferred runs without a sandbox and never calls that confined", () => {
    const words = ["bash", "command=cat a.txt", "--sandbox", "preferred", "--allow", "bash"]
    const { answer } = callWithout(["bwrap", "unshare"], ...words)
    expect(answer.data?.isolation ?? answer).toMatchObject({ level: "none", network: "host" })
  })
})

describe("a box", () => {
  test("[C2-92] of an image that is not installed is refused with what is, and nothing ran", async () => {
    await using world = await shellWorld()
    const { metadata } = await world.session.call("box", { command: "true", image: "no-such-1.0" }, { answer: "once" })
    expect(metadata).toMatchObject({
      error_code: "not_configured",
      details: { ok: false, reason: "BOX_IMAGE_MISSING", image: "no-such-1.0", installed: [], ran: false },
    })
    expect(metadata.details).toMatchObject({ fix: expect.stringContaining("haft box image build") })
  })
})
