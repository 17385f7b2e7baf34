import { open } from "node:fs/promises"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import { openImage } from "./image/open-image.js"
import { runMachine } from "./machine/run-machine.js"
import { startMachine } from "./machine/start-machine.js"
import { machineTraces } from "./testing/machine-traces.js"
import { ensureTestImage, testImage, testImagesFolder } from "./testing/test-image.js"
import { makeTestMachine } from "./testing/test-machine.js"

const minute = 60_000
const missing = await ensureTestImage()
const title = `a hostile command in a machine${missing === undefined ? "" : ` (left out: ${missing})`}`
const { run, outputFolder, remove } = makeTestMachine()
afterAll(remove)
afterEach(() => expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] }))

describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  test("can use up all memory and all file systems and still ends with its own exit code", async () => {
    const { stdout, exitCode } = await run(`
      head -c 600M /dev/zero > /tmp/a; head -c 600M /dev/zero > /dev/shm/b; truncate -s 10G /work/sparse
      python3 -c 'x = bytearray(400_000_000)'; echo "memory $?"
      exit 3`)
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/^memory (1|137)\n$/), exitCode: 3 })
  })

  test("cannot take away what serves it, set the clock or make devices, and leaves nothing of its files", async () => {
    const { stdout, exitCode } = await run(`
      rm -rf /run/box /run/.unpack /bin/confine /init --no-preserve-root / 2> /dev/null
      mknod disk b 254 0 2> /dev/null || echo no device
      date -s 2001-01-01 > /dev/null 2>&1 || echo no clock
      (echo b > /proc/sysrq-trigger) 2> /dev/null || echo no reset
      ln -s ../../../../etc out; ln -s /etc/passwd passwd; printf x > "$(printf 'a\\nb')"; mkfifo pipe
      ls -1 | wc -l; kill -9 1; exit 4`)
    expect({ lines: stdout.split("\n").slice(0, 3), exitCode }).toEqual({
      ...{ lines: ["no device", "no clock", "no reset"], exitCode: 4 },
    })
    const next = await run("kill -9 -1; ls -A /work /home/box; exit 5")
    expect(next).toMatchObject({ stdout: "/home/box:\n\n/work:\n", exitCode: 5 })
    // Reads every file again where its state has changed.
    expect((await openImage(testImagesFolder, testImage)).name).toBe(testImage)
  })
})

describe.skipIf(process.platform !== "linux")("a machine that was taken over", { timeout: minute }, () => {
  /** A program in the place of QEMU that has its descriptors and does not keep to anything. */
  async function outcomeOf(script: string) {
    const empty = await open("/dev/null", "r")
    const files = { root: empty.fd, job: empty.fd }
    const argv = ["/bin/bash", "-c", `exec 10>&-; ${script}`]
    const machine = startMachine({ argv, files, monitored: false, memoryMiB: 512 })
    await empty.close()
    const limits = { restored: true, bootMs: 2_000, timeoutMs: 2_000, keepBytes: 1_000 }
    const signal = new AbortController().signal
    return runMachine(machine, { ...limits, signal, sidecar: { folder: outputFolder, name: "taken-over" } })
  }

  test.each([
    ["says what nobody asked for", "echo READY >&3; sleep 100", "nonce"],
    ["forges an end", `echo "EXIT ${"0".repeat(32)} 0" >&3; sleep 100`, "nonce"],
    ["speaks without end", "exec cat /dev/zero >&3", "a line is too long"],
    ["never answers", "exec sleep 100", "did not start the command in 2000 ms"],
    ["prints without end and never starts", "exec yes >&4", "did not start the command in 2000 ms"],
    ["complains without end", "exec yes >&2", "did not start the command in 2000 ms"],
    ["ends", "exit 0", "ended without an exit code"],
  ])("and %s is a crash and never an exit code", async (_, script, reason) => {
    const before = process.memoryUsage().rss
    const outcome = await outcomeOf(script)
    expect(outcome).toMatchObject({ type: "crashed", started: false, reason: expect.stringMatching(reason) })
    expect(outcome.type === "crashed" && outcome.words.length).toBeLessThanOrEqual(4_000)
    // Two seconds of output would be gigabytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  })

  test("cannot say that the command ended before it started", async () => {
    const script = 'read -r go nonce seed <&3; echo "EXIT $nonce 0" >&3; sleep 100'
    expect(await outcomeOf(script)).toMatchObject({ type: "crashed", reason: expect.stringContaining("out of order") })
  })
})
