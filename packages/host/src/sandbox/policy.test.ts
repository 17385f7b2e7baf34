import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { afterAll, describe, expect, test } from "vitest"
import { findOwnProgram } from "./environment/programs.js"
import { probeBackends } from "./probe/probe-backends.js"
import { backendsHere } from "./testing/installed.js"
import { makeSandboxBench } from "./testing/sandbox-bench.js"

const system = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]
const programs = mkdtempSync(join(tmpdir(), "haft-programs-"))
afterAll(() => rmSync(programs, { recursive: true, force: true }))

describe("the policy", () => {
  test("[C2-92] required: without any backend a command is refused, and the refusal names the fix", async () => {
    const bench = await makeSandboxBench({ backends: ["seatbelt"] })
    const refusal = await bench.prepare().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: "not_configured", details: { reason: "SANDBOX_UNAVAILABLE" } })
    expect(String((refusal as { fix: string }).fix)).toContain("haft doctor")
    await bench.close()
  })

  test("[C2-92] preferred: without any backend a command runs, and the result says that nothing confined it", async () => {
    const bench = await makeSandboxBench({ policy: "preferred", backends: ["seatbelt"] })
    const { sandbox, stdout } = await bench.run("echo ran")
    expect(stdout).toBe("ran\n")
    expect(sandbox.isolation).toMatchObject({
      level: "none",
      backend: "none",
      network: "host",
      limits: { enforcedBy: "none" },
    })
    await bench.close()
  })

  test("[C2-81] off and a listed command run outside, with a built environment all the same", async () => {
    const variables = { ...process.env, MY_TOKEN: "hidden" }
    const off = await makeSandboxBench({ policy: "off", variables })
    expect((await off.run("env")).stdout).not.toContain("hidden")
    await off.close()
    const listed = await makeSandboxBench({ variables })
    const { sandbox } = await listed.run("true", { sandbox: { unconfined: true } })
    expect(sandbox.isolation.level).toBe("none")
    await listed.close()
  })
})

describe.skipIf(backendsHere.length < 2)("the choice of a backend", () => {
  test("bubblewrap first", async () => {
    const bench = await makeSandboxBench({ backends: ["bwrap", "unshare"] })
    expect((await bench.run("true")).sandbox.isolation.backend).toMatch(/^bwrap \d/)
    await bench.close()
  })

  test("[C2-92] a bubblewrap that cannot build a sandbox is passed over, and its failure is never the command's", async () => {
    // Looks like bubblewrap and refuses like one that may not make namespaces.
    const broken = join(programs, "bwrap")
    writeFileSync(
      broken,
      '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 9.9.9 && exit\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    )
    chmodSync(broken, 0o755)
    const path = `${programs}:${process.env.PATH}`
    const both = await makeSandboxBench({ path, backends: ["bwrap", "unshare"] })
    expect((await both.run("true")).sandbox.isolation.backend).toBe("unshare")
    await both.close()
    const alone = await makeSandboxBench({ path, backends: ["bwrap"] })
    await expect(alone.prepare()).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining("No permissions to create new namespace"),
      fix: expect.stringContaining("namespaces"),
    })
    await alone.close()
  })

  test("[C2-92] a sandbox that fails after a good probe is a refusal, and is probed again", async () => {
    const folder = join(programs, "flaky")
    mkdirSync(folder)
    const real = findOwnProgram("bwrap", system)
    const flag = join(folder, "broken")
    const flaky = join(folder, "bwrap")
    writeFileSync(
      flaky,
      `#!/bin/sh\nif [ -e ${flag} ] && [ "$1" != --version ]; then echo "bwrap: setting up uid map: Permission denied" >&2; exit 1; fi\nexec ${real} "$@"\n`,
    )
    chmodSync(flaky, 0o755)
    const bench = await makeSandboxBench({ path: `${folder}:${process.env.PATH}`, backends: ["bwrap"] })
    expect((await bench.run("exit 3")).code).toBe(3)
    writeFileSync(flag, "")
    const failed = await bench.run("exit 3")
    expect(failed.failure).toContain("could not be set up: setting up uid map")
    await expect(bench.prepare()).rejects.toMatchObject({ code: "not_configured" })
    rmSync(flag)
    expect((await bench.run("exit 3")).code).toBe(3)
    await bench.close()
  })

  test("a session whose folders could not be made tries again with the next command", async () => {
    const bench = await makeSandboxBench({ backends: ["bwrap"] })
    const session = join(bench.haftHome, "sessions", "s1")
    mkdirSync(session, { recursive: true })
    writeFileSync(join(session, "scratch"), "in the way")
    await expect(bench.prepare()).rejects.toThrow()
    rmSync(join(session, "scratch"))
    expect((await bench.run("exit 3")).code).toBe(3)
    await bench.close()
  })

  test("a probe is remembered for the next session and forgotten with another program", async () => {
    const first = await makeSandboxBench({ backends: ["bwrap"] })
    await first.run("true")
    const remembered = () => readdirSync(join(first.haftHome, "sandbox")).filter((name) => name.startsWith("probe-"))
    expect(remembered()).toHaveLength(1)
    await first.close()
  })
})

describe("programs of our own", () => {
  test("are never taken from a workspace, also not by way of a link", async () => {
    const folder = join(programs, "linked")
    const workspace = join(programs, "workspace")
    for (const path of [folder, workspace]) mkdirSync(path, { recursive: true })
    writeFileSync(join(workspace, "tool"), "#!/bin/sh\n", { mode: 0o755 })
    symlinkSync(join(workspace, "tool"), join(folder, "tool"))
    expect(findOwnProgram("tool", [folder])).toBe(join(workspace, "tool"))
    expect(findOwnProgram("tool", [folder], [workspace])).toBeUndefined()
  })
})

describe.each(backendsHere)("behind %s", (backend) => {
  test("a home in a folder that every sandbox shows: commands run, and see nothing of the state", async ({
    skip,
    onTestFinished,
  }) => {
    const folder = makeFolderIn("/opt")
    if (folder === undefined) return skip("only who may write to /opt can try this")
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const haftHome = join(folder, "haft")
    const sessionFolder = join(haftHome, "sessions", "s1")
    const bench = await makeSandboxBench({
      backend,
      haftHome,
      sessionFolder,
      cacheFolder: join(haftHome, "cache", "w1"),
    })
    writeFileSync(join(haftHome, "journal.db"), "secret")
    expect((await bench.run(`cat ${folder}/haft/journal.db; ls ${folder}`)).stdout).toBe("haft\n")
    await bench.close()
  })
})

function makeFolderIn(parent: string): string | undefined {
  return bestEffort("an ordinary user may not write there", () => mkdtempSync(join(parent, "haft-state-")))
}

test("[C2-99] the report for the doctor comes from sandboxes that were really built, and says what is missing", async () => {
  const reports = await probeBackends({ path: process.env.PATH ?? "" })
  expect(reports.map(({ backend }) => backend)).toEqual(["bwrap", "unshare", "seatbelt"])
  for (const { backend, ok, checks } of reports) {
    if (!(backendsHere as readonly string[]).includes(backend)) expect(ok).toBe(false)
    else
      expect(checks.filter((check) => !check.ok).map(({ name }) => name)).toEqual(
        backend === "bwrap" ? [] : ["filters system calls"],
      )
  }
  const missing = await probeBackends({ path: "/nonexistent", backends: ["seatbelt"] })
  expect(missing[0]).toMatchObject({ ok: false, checks: [{ name: "is installed", ok: false }] })
})
