import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runProcess } from "../../run/process/run-process.js"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench, type RunRequest, type SandboxBench } from "../testing/sandbox-bench.js"
import { listenInside, superviseCommand } from "./supervising-shell.js"

const { signal } = new AbortController()

describe.each(backendsHere)("what a command leaves behind %s", (backend) => {
  let bench: SandboxBench
  beforeAll(async () => {
    bench = await makeSandboxBench({ backend, netGrants: ["127.0.0.1:9"] })
  })
  afterAll(() => bench.close())

  const run = async (line: string, request?: RunRequest) => {
    const sandbox = await bench.prepare(request)
    const sidecar = { folder: join(bench.base, "out"), name: "report" }
    const argv = ["/bin/bash", "-c", line]
    const end = await runProcess({
      sandbox,
      tag: "report",
      argv,
      timeoutMs: 30_000,
      keepBytes: 10_000,
      sidecar,
      signal,
    })
    await sandbox.release()
    return { code: end.exitCode, stderr: end.stderr.text, ...end.teardown }
  }

  test.each([
    ["nothing", "true", 0, 0],
    ["one in the background", "sleep 60 & echo done", 0, 1],
    ["one of a shell that gives a code", "sleep 60 & exit 3", 3, 1],
    ["one of a shell that became another program", "sleep 60 & exec sleep 0.1", 0, 1],
    ["one of a shell that was killed", "sleep 60 & kill -9 $$", null, 1],
    [
      "those that left their session, ignore signals or have no parent any more",
      "setsid sleep 60 & (trap '' TERM HUP; exec sleep 60) & (sleep 60 &)",
      0,
      3,
    ],
    ["nothing but the dead", "(exit 1) & sleep 0.1; exec sleep 0.1", 0, 0],
  ])("is told: %s", async (_, line, code, ended) => {
    expect(await run(line)).toEqual({ code, ended, survivors: [], stderr: "" })
  })

  test("is told without the relay to the network, which is the sandbox's own", async () => {
    const request = { sandbox: { profile: "workspace-write+net", hosts: ["127.0.0.1:9"] } } as const
    expect(await run("true", request)).toMatchObject({ code: 0, ended: 0 })
    expect(await run("sleep 60 & true", request)).toMatchObject({ code: 0, ended: 1 })
  })

  test("no process in the sandbox has a folder of the host open, by which the command could walk out", async () => {
    const folders = 'for one in /proc/[0-9]*/fd/*; do [ -d "$one/." ] && echo "$one"; done; echo end'
    for (const request of [{}, { sandbox: { profile: "workspace-write+net", hosts: ["127.0.0.1:9"] } } as const]) {
      const sandbox = await bench.prepare(request)
      const argv = ["/bin/bash", "-c", folders]
      const sidecar = { folder: join(bench.base, "out"), name: "report" }
      const end = await runProcess({
        sandbox,
        tag: "report",
        argv,
        timeoutMs: 30_000,
        keepBytes: 10_000,
        sidecar,
        signal,
      })
      await sandbox.release()
      expect(end.stdout.text).toBe("end\n")
    }
  })

  test("cannot be claimed by the command, which does not get the means", async () => {
    const line = "for one in 3 4 5 6 7 8; do echo 99 >&$one; echo 99 > /proc/1/fd/$one; done 2>/dev/null; true"
    expect(await run(line)).toMatchObject({ code: 0, ended: 0 })
  })

  test("limits hold for the command also where a shell inside sets them", async () => {
    expect(await run("[ $(ulimit -n) -le 4096 ] && [ $(ulimit -c) = 0 ] && [ $(ulimit -Hn) -le 4096 ]")).toMatchObject({
      code: 0,
    })
  })
})

// Where /bin/sh leads differs from machine to machine.
describe.each([["dash"], ["bash", "--posix"], ["busybox", "ash"]].filter(([name]) => isInstalled(name!)))(
  "the text for the shell, run by %s",
  (shell, ...options) => {
    const folder = mkdtempSync(join(tmpdir(), "haft-supervise-"))
    const [plain, orphan] = [join(folder, "plain"), join(folder, "orphan")]
    writeFileSync(plain, "echo ran\n")
    writeFileSync(orphan, "#!/nonexistent/interpreter\n", { mode: 0o755 })
    afterAll(() => rmSync(folder, { recursive: true }))

    test.each([
      [["sh", "-c", "exit 137"], { exitCode: 137 }, undefined],
      [["sh", "-c", "kill -9 $$"], { exitCode: null, signal: "SIGKILL" }, undefined],
      [["sh", "-c", "kill -TERM $$"], { exitCode: null, signal: "SIGTERM" }, undefined],
      [["sh", "-c", "exit 127"], { exitCode: 127 }, undefined],
      [["sh", "-c", "(echo failed 127 >&3) 2>/dev/null; exit 126"], { exitCode: 126 }, undefined],
      [["no-such-program-anywhere"], { exitCode: 127 }, 127],
      [["./absent"], { exitCode: 127 }, 127],
      [[orphan], { exitCode: 127 }, 127],
      [[plain], { exitCode: 126 }, 126],
      [[folder], { exitCode: 126 }, 126],
    ] as const)("reports the end of %j", async (argv, end, failed) => {
      const text = superviseCommand({ descriptor: 3, company: 0 })
      const child = spawn(shell!, [...options, "-c", text, "sh", ...argv], {
        env: { PATH: process.env.PATH },
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      })
      const report = listenInside(child, 3)
      const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve))
      await report.complete
      expect(report.endOf({ exitCode })).toEqual(end)
      expect(report.failedStart()).toBe(failed)
    })
  },
)
