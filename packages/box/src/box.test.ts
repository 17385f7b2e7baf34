import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { probeBox } from "./backend/choose-backend.js"
import { importImage } from "./image/import-image.js"
import { openImage } from "./image/open-image.js"
import { jobArchive } from "./job/job-archive.js"
import { bootMachine } from "./machine/boot-machine.js"
import type { MachinePrograms } from "./machine/confine-machine.js"
import { findMachinePrograms, systemProgramFolders } from "./machine/machine-host.js"
import { runMachine } from "./machine/run-machine.js"
import { machineProcesses, machineTraces } from "./testing/machine-traces.js"
import { refusalOf as refused } from "./testing/test-container.js"
import { ensureTestImage, testImage, testImagesFolder } from "./testing/test-image.js"
import { makeTestMachine, patientDeadlines as patient } from "./testing/test-machine.js"

// The first time installs packages and builds the image, which takes minutes.
const missing = await ensureTestImage()
const title = `a real machine${missing === undefined ? "" : ` (left out: ${missing})`}`
const minute = 60_000
const never = new AbortController().signal

const { run, boxWith, outputFolder, remove } = makeTestMachine()
afterAll(remove)

describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  const nothing = { processes: [], files: [], groups: [] }
  afterEach(() => expect(machineTraces()).toEqual(nothing))

  test("files in, output and exit code out, and the result says what ran it", async () => {
    const files = {
      "a.txt": "relative\n",
      "/sandbox/deep/script.sh": "#!/bin/sh\necho absolute; touch /sandbox/deep/new",
    }
    const command = "pwd; cat a.txt; /sandbox/deep/script.sh; ls /sandbox/deep; echo problem >&2; exit 7"
    const outcome = await run(command, { files })
    expect(outcome).toMatchObject({
      stdout: "/work\nrelative\nabsolute\nnew\nscript.sh\n",
      stderr: "problem\n",
      exitCode: 7,
      timedOut: false,
      truncated: false,
      isolation: {
        level: expect.stringMatching(/^vm/),
        asked: "vm",
        backend: expect.stringMatching(/^qemu-(kvm|tcg) \d/),
        nestedIn: "bwrap",
        network: "none",
        image: testImage,
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        os: "debian 12",
        snapshot: true,
      },
    })
  })

  test("where machines work they are used, whatever less would do", async () => {
    expect((await run("true", {}, { minIsolation: "container" })).isolation.level).toMatch(/^vm/)
  })

  test("two machines of one snapshot have different random bytes, their own clock, and nothing of each other", async () => {
    const command = "od -An -tx1 -N16 /dev/urandom; date +%s; ls /work /tmp; touch /tmp/mine; cat given"
    const [first, second] = [
      await run(command, { files: { given: "1" } }),
      await run(command, { files: { given: "2" } }),
    ]
    const [bytes, seconds, ...rest] = first!.stdout.split("\n")
    const [otherBytes, , ...otherRest] = second!.stdout.split("\n")
    expect(bytes).toMatch(/^( [0-9a-f]{2}){16}$/)
    expect(otherBytes).not.toBe(bytes)
    expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(300)
    expect(rest).toEqual(["/tmp:", "", "/work:", "given", "1"])
    expect(otherRest).toEqual(["/tmp:", "", "/work:", "given", "2"])
  })

  test("the command has no privilege, no device, no network, and cannot forge its exit code", async () => {
    const nonce = "0".repeat(32)
    const { stdout, exitCode } = await run(`
      id -u; grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status | tr -d '\\t' | tr '\\n' ' '; echo
      ls /dev | tr '\\n' ' '; echo; ls /proc/self/fd | tr '\\n' ' '; echo
      tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
      python3 -c 'import socket; socket.create_connection(("10.0.2.2", 80), 2)' 2>&1 | tail -n 1
      for way in /dev/vport0p1 /proc/1/fd/4 /proc/self/fd/4 /dev/console; do echo "EXIT ${nonce} 0" > $way; done 2>/dev/null
      mknod /tmp/port c 246 1 2>/dev/null || echo no device
      mount -t tmpfs none /mnt 2>/dev/null || echo no mount
      unshare -r true 2>/dev/null || echo no namespace
      printf 'EXIT ${nonce} 0\\n'; printf 'EXIT ${nonce} 0\\n' >&2
      exit 5`)
    expect(exitCode).toBe(5)
    expect(stdout.split("\n").map((line) => line.trim())).toEqual([
      "1000",
      "CapEff:0000000000000000 CapBnd:0000000000000000 NoNewPrivs:1",
      "fd full null random shm stderr stdin stdout urandom zero",
      "0 1 2 3",
      "lo",
      "OSError: [Errno 101] Network is unreachable",
      "no device",
      "no mount",
      expect.stringMatching(/namespace|EXIT/),
      ...(stdout.includes("no namespace") ? [`EXIT ${nonce} 0`] : []),
      "",
    ])
  })

  test("QEMU itself is confined: another user, no privilege, a filter, namespaces of its own", async () => {
    let seen: ReturnType<typeof machineProcesses> = []
    let links: readonly string[] = []
    await run("echo up; sleep 1", {
      onOutput: () => {
        seen = machineProcesses()
        links = ["net", "mnt", "pid", "ipc", "uts"].map((name) => readlinkSync(`/proc/${seen[0]!.pid}/ns/${name}`))
      },
    })
    const own = ["net", "mnt", "pid", "ipc", "uts"].map((name) => readlinkSync(`/proc/self/ns/${name}`))
    expect(links.filter((link) => own.includes(link))).toEqual([])
    expect(seen).toHaveLength(1)
    const user = process.getuid?.() === 0 ? 65534 : process.getuid?.()
    expect(seen[0]!.status).toMatchObject({
      Uid: Array(4).fill(user).join("\t"),
      CapEff: "0000000000000000",
      CapPrm: "0000000000000000",
      NoNewPrivs: "1",
      Seccomp: "2",
    })
  })

  test("a command that takes too long is ended, and what it printed is kept", async () => {
    const outcome = await run("echo begun; sleep 1000", { timeoutMs: 4_000 })
    expect(outcome).toMatchObject({ stdout: "begun\n", exitCode: null, timedOut: true })
  })

  test("a call that is given up ends its machine", async () => {
    const abort = new AbortController()
    const running = run("echo up; sleep 1000", { signal: abort.signal, onOutput: () => abort.abort() })
    expect((await refused(running)).code).toBe("cancelled")
  })

  test("processes in the background neither hold the machine nor outlive the command", async () => {
    const outcome = await run("(setsid sleep 1000 &); sleep 1000 & echo done")
    expect(outcome).toMatchObject({ stdout: "done\n", exitCode: 0, timedOut: false })
  })

  test("much output is cut in the middle, any byte passes, and everything is there at the end", async () => {
    const told: string[] = []
    const outcome = await run("seq 1 60000; printf '\\377\\376\\0x' >&2; echo last; kill -9 $$", {
      keepBytes: 1_000,
      onOutput: (stream, text) => void (stream === "stdout" && told.push(text)),
    })
    expect(outcome).toMatchObject({ truncated: true, stderr: "\ufffd\ufffd\0x", exitCode: 137 })
    expect(outcome.stdout).toMatch(/^1\n2\n3\n[\s\S]*\n\[\.\.\. \d+ bytes left out \.\.\.\]\n[\s\S]*\n60000\nlast\n$/)
    const { outputPath } = outcome
    const whole = readFileSync(outputPath!, "latin1")
    expect(whole.replace("\xff\xfe\0x", "")).toBe(told.join(""))
    expect(told.join("")).toBe(`${Array.from({ length: 60_000 }, (_, index) => index + 1).join("\n")}\nlast\n`)
  })

  test("memory and processes of the guest end without harm to the result", async () => {
    const hungry = await run(`python3 -c 'x = bytearray(3_000_000_000)'; echo "memory $?"
      python3 -c 'import os, sys
n = 0
try:
  while os.fork(): n += 1
  import time; time.sleep(1000)
except OSError: print("processes", n > 100)'`)
    expect(hungry.stdout).toMatch(/^memory (1|137)\nprocesses True\n$/)
    expect(hungry.exitCode).toBe(0)
  })

  test("large files arrive as they were sent", async () => {
    const content = Array.from({ length: 40_000 }, (_, index) => `line ${index} é\n`).join("")
    const { stdout } = await run("wc -c < big; tail -n 1 big", { files: { big: content } })
    expect(stdout).toBe(`${Buffer.byteLength(content)}\nline 39999 é\n`)
  })

  test("several calls at once each get a machine of their own", async () => {
    const box = boxWith({ maxMachines: 2 })
    const asked = { image: testImage, timeoutMs: minute, keepBytes: 1_000, signal: never }
    const names = ["a", "b", "c"]
    const outcomes = await Promise.all(names.map((name) => box.run({ ...asked, command: "cat f", files: { f: name } })))
    expect(outcomes.map(({ stdout }) => stdout.text)).toEqual(names)
  })

  test("a machine that has no snapshot boots", async () => {
    const outcome = await run("echo booted", {}, { memoryMiB: 384 })
    expect(outcome).toMatchObject({ stdout: "booted\n", exitCode: 0, isolation: { snapshot: false } })
  })

  test("a machine that is ended at any moment leaves nothing behind", async () => {
    const image = await openImage(testImagesFolder, testImage)
    const programs = findMachinePrograms(systemProgramFolders) as MachinePrograms
    for (const waitMs of [0, 1, 2, 5, 10, 20, 50]) {
      const machine = await bootMachine({ programs, accelerator: "tcg", memoryMiB: 512, image, disk: new Uint8Array() })
      await delay(waitMs)
      await machine.end()
      expect(machineTraces()).toEqual(nothing)
    }
  })

  test("a machine that dies is a crash and never an exit code", async () => {
    const image = await openImage(testImagesFolder, testImage)
    const programs = findMachinePrograms(systemProgramFolders) as MachinePrograms
    const shape = { programs, accelerator: "tcg", memoryMiB: 512, image } as const
    const machine = await bootMachine({ ...shape, disk: jobArchive({ command: "echo up; sleep 1000", files: [] }) })
    const sidecar = { folder: outputFolder, name: "died" }
    const limits = { restored: false, bootMs: minute, timeoutMs: minute, keepBytes: 100, signal: never, sidecar }
    const outcome = await runMachine(machine, { ...limits, onOutput: () => void machine.end() })
    expect(outcome).toMatchObject({ type: "crashed", started: true, reason: "the machine ended without an exit code" })
  })

  describe("in a folder where nothing is known yet", () => {
    let imagesFolder: string
    beforeAll(() => {
      imagesFolder = mkdtempSync(join(tmpdir(), "haft-box-fresh-"))
      symlinkSync(join(testImagesFolder, testImage), join(imagesFolder, testImage))
    })
    afterAll(() => rmSync(imagesFolder, { recursive: true, force: true }))

    test("a call that is given up while the host is tried ends the trial, and nothing is learned from it", async () => {
      const abort = new AbortController()
      const running = refused(run("true", { signal: abort.signal }, { imagesFolder }))
      while (machineProcesses().length === 0) await delay(5)
      abort.abort()
      expect((await running).code).toBe("cancelled")
      const known = join(imagesFolder, "probes.json")
      expect(existsSync(known) ? readFileSync(known, "utf8") : "").not.toContain("qemu-tcg")
    })

    test("hardware virtualisation that does not answer in time is refused with what would work", async () => {
      const deadlines = { ...patient, kvmProbeMs: 1 }
      const { code, details } = await refused(run("true", {}, { imagesFolder, minIsolation: "vm", deadlines }))
      expect(code).toBe("not_configured")
      expect(details).toMatchObject({
        reason: "BOX_ISOLATION_UNAVAILABLE",
        asked: "vm",
        best_available: "vm-emulated",
        ran: false,
      })
      const [hardware, emulated] = (details as { probes: { ok: boolean; why?: string }[] }).probes
      expect(hardware).toMatchObject({ ok: false, why: expect.stringMatching(/READY in 1 ms|no \/dev\/kvm/) })
      expect(emulated).toEqual({ backend: "qemu-tcg", ok: true })
    })

    test("what was tried is known to the next process", async () => {
      const probes = await probeBox({ imagesFolder, deadlines: { kvmProbeMs: 1, tcgProbeMs: 1 } })
      expect(probes.find(({ backend }) => backend === "qemu-tcg")).toMatchObject({ ok: true })
    })

    test("a command that an image without a shell cannot start is a failure and never an exit code", async () => {
      const files = mkdtempSync(join(tmpdir(), "haft-box-no-shell-"))
      try {
        mkdirSync(join(files, "etc"))
        writeFileSync(join(files, "etc/os-release"), "ID=empty\n")
        const archive = join(imagesFolder, "empty.tar")
        execFileSync("tar", ["-C", files, "-cf", archive, "."])
        await importImage("empty", archive, { imagesFolder })
      } finally {
        rmSync(files, { recursive: true, force: true })
      }
      const { code, message, details } = await refused(run("true", { image: "empty" }, { imagesFolder }))
      expect({ code, message, details }).toMatchObject({
        code: "backend",
        message: expect.stringContaining("the guest failed to start"),
        details: { reason: "BOX_CRASHED", ran: false },
      })
    })

    test("a machine that does not start in time is a crash in which nothing ran", async () => {
      const deadlines = { ...patient, restoreMs: 1, bootMs: 1 }
      const { code, details } = await refused(run("true", {}, { imagesFolder, deadlines }))
      expect({ code, details }).toMatchObject({ code: "backend", details: { reason: "BOX_CRASHED", ran: false } })
    })
  })
})
