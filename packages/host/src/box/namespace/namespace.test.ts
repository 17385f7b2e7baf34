import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BoxRequest, type CallScope, ToolError } from "@haft/contract"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { BoxOptions } from "../box-options.js"
import { createBox } from "../create-box.js"
import { systemProgramFolders } from "../machine/machine-host.js"
import { probeBox } from "../probe/probe-box.js"
import { ensureTestImage, testImage, testImagesFolder } from "../testing/box-ground.js"
import { machineTraces } from "../testing/machine-traces.js"
import { copyTestImage } from "../testing/tree-ground.js"
import { treeStamp } from "../tree/tree-stamp.js"

const missing = await ensureTestImage()
const title = `a box of namespaces${missing === undefined ? "" : ` (left out: ${missing})`}`
const minute = 60_000
const never = new AbortController().signal

describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  let folder: string
  let imagesFolder: string
  let programs: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "haft-box-namespace-"))
    imagesFolder = join(folder, "images")
    copyTestImage(imagesFolder)
    // A machine on which everything is installed but QEMU.
    programs = join(folder, "programs")
    programsWithoutQemu(programs)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(() => expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] }))

  function boxWith(options: Partial<BoxOptions> = {}) {
    const settings = { imagesFolder, minIsolation: "namespace", programFolders: [programs], ...options } as const
    return createBox(settings, { outputFolder: join(folder, "out") })({ callId: "call" } as CallScope)
  }

  async function run(command: string, request: Partial<BoxRequest> = {}, options: Partial<BoxOptions> = {}) {
    const asked = { command, image: testImage, timeoutMs: minute, files: {}, keepBytes: 100_000, signal: never }
    const { stdout, stderr, ...outcome } = await boxWith(options).run({ ...asked, ...request })
    return { ...outcome, stdout: stdout.text, stderr: stderr.text }
  }

  async function refused(running: Promise<unknown>): Promise<ToolError> {
    const error = await running.catch((thrown: unknown) => thrown)
    expect(ToolError.is(error), String(error)).toBe(true)
    return error as ToolError
  }

  test("files in, output and exit code out, and the result names the weaker wall", async () => {
    const files = { "a.txt": "relative\n", "/sandbox/deep/script.sh": "#!/bin/sh\necho absolute é", "/tmp/t": "t" }
    const command = "pwd; cat a.txt; /sandbox/deep/script.sh; cat /tmp/t; touch new; echo problem >&2; exit 7"
    expect(await run(command, { files })).toMatchObject({
      stdout: "/work\nrelative\nabsolute é\nt",
      stderr: "problem\n",
      exitCode: 7,
      timedOut: false,
      isolation: {
        level: "namespaces",
        asked: "namespace",
        backend: expect.stringContaining("bwrap"),
        nestedIn: "none",
        network: "none",
        image: testImage,
        os: "debian 12",
        snapshot: false,
      },
    })
    expect((await run("ls /work; ls /sandbox")).stdout).toBe("")
  })

  test("nothing of the host is in reach: no file, no process, no network, no variable, no right", async () => {
    process.env.HAFT_TEST_SECRET = "of-the-host"
    const { stdout } = await run(`
      cat ${join(testImagesFolder, testImage, "manifest.json")} 2>/dev/null | wc -c
      ls /proc | grep -c '^[0-9]'
      env | grep -c of-the-host
      tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
      python3 -c 'import socket; socket.create_connection(("127.0.0.1", 22), 2)' 2>&1 | tail -n 1
      grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t' | tr '\\n' ' '; echo
      touch /usr/x /etc/x /x 2>&1 | grep -c 'Read-only'
      mount -t tmpfs none /mnt 2>/dev/null || echo no mount
      unshare -r true 2>/dev/null || echo no namespace`)
    delete process.env.HAFT_TEST_SECRET
    const [manifestBytes, processes, ...rest] = stdout.trim().split("\n")
    expect(manifestBytes).toBe("0")
    expect(Number(processes)).toBeLessThan(10)
    expect(rest).toEqual([
      "0",
      "lo",
      expect.stringMatching(/refused|unreachable/),
      "CapEff:0000000000000000 CapBnd:0000000000000000 NoNewPrivs:1 Seccomp:2 ",
      "3",
      "no mount",
      "no namespace",
    ])
  })

  test("a command that takes too long or is given up is gone with all that it started", async () => {
    const late = await run("echo begun; (setsid sleep 1000 &); sleep 1000", { timeoutMs: 1_500 })
    expect(late).toMatchObject({ stdout: "begun\n", exitCode: null, timedOut: true })
    const abort = new AbortController()
    const running = run("echo up; sleep 1000", { signal: abort.signal, onOutput: () => abort.abort() })
    expect((await refused(running)).code).toBe("cancelled")
    expect(await run("sleep 1000 & echo done")).toMatchObject({ stdout: "done\n", exitCode: 0, timedOut: false })
  })

  test("a killed command and one that says what a broken wall would say are results", async () => {
    expect(await run("kill -9 $$")).toMatchObject({ exitCode: 137 })
    expect(await run("echo 'bwrap: broken' >&2; exit 1")).toMatchObject({ exitCode: 1, stderr: "bwrap: broken\n" })
  })

  test("much output is cut and the whole of it is in a file", async () => {
    const outcome = await run("seq 1 60000", { keepBytes: 1_000 })
    expect(outcome.stdout).toMatch(/^1\n2\n[\s\S]* bytes left out [\s\S]*\n60000\n$/)
    expect(outcome.outputPath).toContain(join(folder, "out"))
  })

  test("a file in a folder of the image is refused with the reason, because that folder cannot be written", async () => {
    const { code, details, message } = await refused(run("true", { files: { "/usr/local/x": "" } }))
    expect({ code, details }).toMatchObject({ code: "invalid_args", details: { reason: "BOX_FILES_REFUSED" } })
    expect(message).toContain('"/usr" of the image is read-only')
  })

  test("a folder that was changed since the image was built is refused", async () => {
    const image = join(imagesFolder, testImage)
    await run("true")
    const tree = join(image, readdirSync(image).find((name) => name.startsWith("tree-"))!)
    const stamp = await treeStamp(join(tree, "root"))
    expect(await treeStamp(join(tree, "root"))).toBe(stamp)
    writeFileSync(join(tree, "root/etc/motd"), "changed")
    expect((await refused(run("true"))).details).toMatchObject({ reason: "BOX_IMAGE_CHANGED", ran: false })
    rmSync(tree, { recursive: true })
    expect(await run("true")).toMatchObject({ exitCode: 0 })
    expect(readdirSync(imagesFolder).filter((name) => name.startsWith(".aside"))).toEqual([])
  })

  test("[C2-92] the weaker wall is used only where the operator allows it, and a level between them is refused", async () => {
    for (const minIsolation of ["vm", "vm-emulated", "gvisor", "container"] as const) {
      const { code, details } = await refused(run("true", {}, { minIsolation }))
      expect({ code, details }).toMatchObject({
        code: "not_configured",
        details: {
          reason: "BOX_ISOLATION_UNAVAILABLE",
          asked: minIsolation === "vm-emulated" ? "vm" : minIsolation,
          best_available: "namespace",
          ran: false,
        },
      })
    }
  })

  test("without bubblewrap or debugfs even that is refused, with what is missing", async () => {
    for (const program of ["bwrap", "debugfs"]) {
      const fewer = mkdtempSync(join(folder, "fewer-"))
      programsWithoutQemu(fewer, [program])
      const { details } = await refused(run("true", {}, { programFolders: [fewer] }))
      expect(details).toMatchObject({ reason: "BOX_ISOLATION_UNAVAILABLE", best_available: "none" })
      expect((details as { probes: unknown[] }).probes).toContainEqual({
        backend: "bwrap",
        ok: false,
        why: `${program} not found`,
      })
    }
  })

  test("where machines work they are used, whatever less would do", async () => {
    const probes = await probeBox({ imagesFolder, programFolders: [programs] })
    expect(probes.map(({ backend, ok }) => [backend, ok])).toEqual([
      ["qemu-kvm", false],
      ["qemu-tcg", false],
      ["runsc", false],
      ["podman", false],
      ["bwrap", true],
    ])
    const deadlines = { tcgProbeMs: minute, bootMs: minute, restoreMs: minute }
    const strong = await run(
      "true",
      {},
      { imagesFolder: testImagesFolder, programFolders: systemProgramFolders, deadlines },
    )
    expect(strong.isolation.level).toMatch(/^vm/)
  })
})

/** A folder with links to the programs of the system that boxes use, except for some. */
function programsWithoutQemu(folder: string, without: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  for (const name of ["bwrap", "setpriv", "prlimit", "debugfs"]) {
    const found = systemProgramFolders.map((each) => join(each, name)).find(existsSync)
    if (found !== undefined && !without.includes(name)) symlinkSync(found, join(folder, name))
  }
}
