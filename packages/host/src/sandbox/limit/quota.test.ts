import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

const megabyte = 1024 ** 2

describe.each(backendsHere)("the quota of home and /tmp behind %s", (backend) => {
  const limits = { homeBytes: 64 * megabyte }
  const heldBytes = ({ haftHome }: SandboxBench) => {
    const folders = ["home", "tmp"].map((name) => join(haftHome, "sessions", "s1", name))
    return Number(
      execFileSync("du", ["-scB1", ...folders], { encoding: "utf8" })
        .trim()
        .split("\n")
        .at(-1)!
        .split("\t")[0],
    )
  }
  const reason = "the home directory and /tmp of this session hold more than 67108864 bytes together, so it was ended"

  test.each([
    ["one file in the home directory", "head -c 4G /dev/zero > ~/big; echo over"],
    ["many files in /tmp", "for i in $(seq 400); do head -c 10M /dev/zero > /tmp/$i; done; echo over"],
    ["both together", "head -c 40M /dev/zero > ~/a; head -c 4G /dev/zero > /var/tmp/b; echo over"],
    [
      "a folder that is closed",
      "mkdir /tmp/d; exec 3> /tmp/d/f; chmod 000 /tmp/d; head -c 4G /dev/zero >&3; echo over",
    ],
    ["a file without a name", "exec 3> /tmp/f; rm /tmp/f; head -c 4G /dev/zero >&3; sleep 5; echo over"],
    [
      "a file without a name that is only mapped",
      `python3 -c "
import mmap, os, time
for i in range(40):
    f = open('/tmp/f', 'w+b'); f.truncate(100 << 20); os.unlink('/tmp/f')
    m = mmap.mmap(f.fileno(), 100 << 20); f.close(); globals()['m%d' % i] = m
    for at in range(0, 100 << 20, 4096): m[at] = 1
time.sleep(5)"; echo over`,
    ],
    [
      "folders that are nested so deep that nothing there can be named",
      `python3 -c "
import os, time
os.chdir('/tmp')
for i in range(3000): os.mkdir('d'); os.chdir('d')
f = open('f', 'wb')
for i in range(400): f.write(bytes(10 << 20))
time.sleep(20)"; echo over`,
    ],
  ])("ends a command that goes beyond it by %s, with the reason", async (_, line) => {
    const bench = await makeSandboxBench({ backend, limits })
    const { stdout, failure } = await bench.run(line)
    expect({ stdout, failure }).toEqual({ stdout: "", failure: expect.stringContaining(reason) })
    // As much as can be written between two looks, on a machine that has other things to do.
    expect(heldBytes(bench)).toBeLessThan(1200 * megabyte)
    const next = await bench.run("ls -A ~ /tmp | grep -v gitconfig; df /tmp > /dev/null; echo next")
    expect(next.stdout).toContain("next\n")
    expect(heldBytes(bench)).toBeLessThan(megabyte)
    await bench.close()
  })

  test("ends a reader just the same, and a command that stays below it runs to its end", async () => {
    const bench = await makeSandboxBench({ backend, limits })
    const sandbox = { profile: "read-only" } as const
    expect((await bench.run("head -c 30M /dev/zero > /tmp/a; cat /tmp/a | wc -c", { sandbox })).stdout).toBe(
      "31457280\n",
    )
    expect((await bench.run("head -c 4G /dev/zero > /tmp/b; echo over", { sandbox })).failure).toContain(reason)
    await bench.close()
  })

  test("ends a command that makes nothing but names", async () => {
    const bench = await makeSandboxBench({ backend, limits: { homeBytes: 4 * megabyte } })
    const line = `python3 -c "
import os, time
os.mkdir('/tmp/d'); open('/tmp/d/0', 'w').close()
for i in range(1, 5000): os.link('/tmp/d/0', '/tmp/d/%d' % i)
time.sleep(20)"; echo over`
    const { stdout, failure } = await bench.run(line)
    const tooMuch = expect.stringContaining("hold more than 4194304 bytes together, so it was ended")
    expect({ stdout, failure }).toEqual({ stdout: "", failure: tooMuch })
    await bench.close()
  })

  test("a file with several names counts once", async () => {
    const bench = await makeSandboxBench({ backend, limits })
    const line = "head -c 30M /dev/zero > /tmp/a; for i in 1 2 3 4; do ln /tmp/a /tmp/$i; done; sleep 5; echo below"
    expect(await bench.run(line)).toMatchObject({ stdout: "below\n", failure: undefined })
    await bench.close()
  })

  test("what is written into the workspace is not counted", async () => {
    const bench = await makeSandboxBench({ backend, limits })
    const line = "head -c 300M /dev/zero > big; exec 3> gone; rm gone; head -c 300M /dev/zero >&3; sleep 1; echo over"
    expect(await bench.run(line)).toMatchObject({ stdout: "over\n", failure: undefined })
    await bench.close()
  })

  test("what others write on the same file system is not held against a command", async () => {
    const bench = await makeSandboxBench({ backend, limits })
    const other = join(bench.base, "other")
    mkdirSync(other)
    const writer = spawn("head", ["-c", "400M", "/dev/zero"], { stdio: ["ignore", "pipe", "ignore"] })
    const sink = spawn("dd", [`of=${join(other, "big")}`, "bs=1M"], { stdio: [writer.stdout, "ignore", "ignore"] })
    const { stdout, failure } = await bench.run("sleep 3; echo done", { sandbox: { profile: "read-only" } })
    expect({ stdout, failure }).toEqual({ stdout: "done\n", failure: undefined })
    if (sink.exitCode === null) await new Promise((resolve) => sink.once("exit", resolve))
    await bench.close()
  })

  test("a job that waits is spared when another command is the one", async () => {
    const bench = await makeSandboxBench({ backend, limits })
    const job = await bench.prepare({ lasting: true })
    const launch = job.launch(["/bin/sleep", "60"])
    const child = spawn(launch.file, [...launch.args], {
      ...{ cwd: launch.cwd, env: launch.env, detached: true },
      stdio: ["ignore", "ignore", "ignore", ...launch.extraFds],
    })
    launch.onSpawn?.(child)
    expect((await bench.run("head -c 4G /dev/zero > /tmp/b")).failure).toContain(reason)
    expect(child.exitCode).toBeNull()
    await expect(bench.run("true")).rejects.toMatchObject({ code: "too_large" })
    child.kill("SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
    await job.release()
    expect((await bench.run("ls /tmp")).code).toBe(0)
    expect(existsSync(bench.root) && readdirSync(bench.root)).toEqual([])
    await bench.close()
  })
})
