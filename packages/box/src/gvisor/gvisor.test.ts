import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { release } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import type { BoxJob } from "../backend/backend.js"
import { boxSettings } from "../box-options.js"
import { openImage } from "../image/open-image.js"
import { checkFiles } from "../job/check-files.js"
import { systemProgramFolders } from "../machine/machine-host.js"
import { ensureTestImage, testImage } from "../testing/box-ground.js"
import { machineTraces } from "../testing/machine-traces.js"
import { linkPrograms, makeTreeGround, refusalOf } from "../testing/tree-ground.js"
import { openImageTree } from "../tree/image-tree.js"
import { findGvisorHost } from "./gvisor-host.js"
import { runInGvisor } from "./run-in-gvisor.js"

const minute = 60_000
const noImage = await ensureTestImage()
const missing = noImage ?? whyNoGvisor()
const ground = missing === undefined ? makeTreeGround("gvisor", ["runsc", "setpriv", "debugfs"]) : undefined

function whyNoGvisor(): string | undefined {
  if (!systemProgramFolders.some((folder) => existsSync(join(folder, "runsc")))) return "runsc is not installed"
  return process.getuid?.() === 0 ? undefined : "runsc needs root"
}

afterAll(() => ground?.remove())

const title = `a box behind gVisor${missing === undefined ? "" : ` (left out: ${missing})`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  afterEach(() => expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] }))

  /** A run past the probe, because versions that fail it start commands all the same. */
  async function run(command: string, changes: Partial<BoxJob> = {}, programs = ground!.programs) {
    const { imagesFolder, folder } = ground!
    const image = await openImage(imagesFolder, testImage)
    const signal = changes.signal ?? new AbortController().signal
    const tree = await openImageTree(image, { imagesFolder, debugfs: join(programs, "debugfs"), signal })
    const sidecar = { folder: join(folder, "out"), name: "call" }
    const job = { image, command, files: [], timeoutMs: minute, keepBytes: 100_000, sidecar, signal, ...changes }
    const outcome = await runInGvisor(job, {
      programs: { runsc: join(programs, "runsc"), setpriv: join(programs, "setpriv") },
      ...{ tree, memoryMiB: 512, bootMs: minute, began: performance.now() },
    })
    return outcome.type === "ran"
      ? { ...outcome, stdout: outcome.stdout.text, stderr: outcome.stderr.text }
      : { ...outcome, stdout: "", stderr: "" }
  }

  test("files in, output and exit code out", async () => {
    const files = checkFiles({ "a.txt": "relative\n", "/sandbox/s.sh": "#!/bin/sh\necho absolute é", "/tmp/t": "t" })
    const command = "pwd; cat a.txt; /sandbox/s.sh; cat /tmp/t; echo > new; echo > ~/x; echo problem >&2; exit 7"
    expect(await run(command, { files })).toMatchObject({
      type: "ran",
      stdout: "/work\nrelative\nabsolute é\nt",
      stderr: "problem\n",
      exitCode: 7,
    })
    expect((await run("echo /work/* /sandbox/*")).stdout).toBe("/work/* /sandbox/*\n")
  })

  test("its own kernel answers, without a network, without rights, and the image cannot be written", async () => {
    const { stdout } = await run(`
      cat /proc/version
      tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
      grep -E '^(CapEff|CapBnd):' /proc/self/status | tr '\\t' ' '
      (echo x > /usr/x) 2>&1 | grep -cE 'denied|Read-only'
      (cat /etc/shadow) 2>&1 | grep -c denied
      cat ${ground!.imagesFolder}/debian-12/manifest.json 2>/dev/null | wc -c`)
    expect(stdout.split("\n")).toEqual([
      expect.not.stringContaining(release()),
      "lo",
      "CapEff: 0000000000000000",
      "CapBnd: 0000000000000000",
      "1",
      "1",
      "0",
      "",
    ])
  })

  test("a command that takes too long, is given up, is killed or takes too much memory is gone with all that it started", async () => {
    const late = await run("echo begun; (setsid sleep 1000 &); sleep 1000", { timeoutMs: 1_500 })
    expect(late).toMatchObject({ type: "ran", stdout: "begun\n", exitCode: null })
    const abort = new AbortController()
    expect(await run("echo up; sleep 1000", { signal: abort.signal, onOutput: () => abort.abort() })).toMatchObject({
      type: "aborted",
    })
    expect(await run("sleep 1000 & echo done")).toMatchObject({ stdout: "done\n", exitCode: 0 })
    expect(await run("kill -9 $$")).toMatchObject({ exitCode: 137 })
    const hungry = await run('exec python3 -c "x = [bytearray(50_000_000) for i in range(40)]"')
    expect(hungry.type === "ran" ? hungry.exitCode : 1).not.toBe(0)
    expect(leftProcesses()).toEqual([])
  })

  test("an exit code that gVisor uses for itself is one of the command, and a broken gVisor is none", async () => {
    expect(await run("exit 128")).toMatchObject({ type: "ran", exitCode: 128 })
    const broken = linkPrograms(join(ground!.folder, "broken"), ["setpriv", "debugfs"])
    writeFileSync(join(broken, "runsc"), "#!/bin/sh\necho broken >&2\nexit 0\n", { mode: 0o755 })
    expect(await run("true", {}, broken)).toMatchObject({ type: "crashed", started: false, words: "broken" })
  })

  test("the probe lists the image for real, and the refusal names it where a version fails", async () => {
    const { imagesFolder, programs } = ground!
    const settings = boxSettings({ imagesFolder, programFolders: [programs], minIsolation: "gvisor" })
    const host = await findGvisorHost(settings, {
      image: await openImage(imagesFolder, testImage),
      signal: new AbortController().signal,
    })
    if (typeof host === "string") {
      const { code, details } = await refusalOf(ground!.run("true"))
      expect({ code, details }).toMatchObject({
        code: "not_configured",
        details: { reason: "BOX_ISOLATION_UNAVAILABLE", asked: "gvisor", ran: false },
      })
      const why = expect.stringMatching(/^runsc \S+ fails at "ls -la \/ .*stat.*": /)
      expect((details as { probes: unknown[] }).probes).toContainEqual({ backend: "runsc", ok: false, why })
    } else {
      expect(await ground!.run("ls -la /; exit 3")).toMatchObject({
        exitCode: 3,
        isolation: { level: "gvisor", asked: "gvisor", backend: host.label, network: "none" },
      })
    }
  })
})

/** Numbers of the processes of gVisor that came from this one. */
function leftProcesses(): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`/haft-box-${process.pid}-`)
    } catch {
      return false
    }
  })
}
