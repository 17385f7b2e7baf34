import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import {
  makePrewarmBench,
  type PrewarmBench,
  type PrewarmRequest,
  quiet,
  rules,
  until,
  waiters,
} from "../testing/prewarm-bench.js"
import { handshakeFailed } from "./prewarmed-sandbox.js"

const runner = fileURLToPath(new URL("../../../../../scripts/run-ts.mjs", import.meta.url))
const program = fileURLToPath(new URL("../testing/wait-prewarmed.ts", import.meta.url))

describe.each(backendsHere)("a sandbox that was started ahead: %s", (backend) => {
  let bench: PrewarmBench
  const variables = { ...process.env }
  beforeEach(async () => {
    bench = await makePrewarmBench({ backend, variables, env: ["SHOWN"] })
    mkdirSync(join(bench.root, "sub"))
    writeFileSync(join(bench.root, "first.key"), "secret")
  })
  afterEach(async () => {
    delete variables.SHOWN
    await bench.close()
    expect(waiters()).toEqual([])
  })

  test("serves the third command of its kind, and is not there before the second has ended", async () => {
    expect((await bench.run("echo one")).isWarm).toBe(false)
    await quiet()
    expect(waiters()).toEqual([])
    expect((await bench.run("echo two")).isWarm).toBe(false)
    await until(() => waiters().length > 0)
    expect(await bench.run("echo three")).toMatchObject({ isWarm: true, stdout: { text: "three\n" }, exitCode: 0 })
  })

  test("is for the command what any other sandbox is", async () => {
    const look = [
      "env | grep -v ^HAFT_CALL= | sort; pwd; umask; ulimit -a; id; hostname; ls -l /proc/$$/fd > /tmp/fds; cut -d' ' -f9- /tmp/fds; rm /tmp/fds",
      "echo $PPID $0 $- $SHLVL $_; cat; ls -A / /tmp ~ /dev/shm; cat first.key; echo x > x; cat /proc/self/mountinfo",
      "grep -E '^(Cap|NoNew|Seccomp|Sig|Uid|Groups)' /proc/self/status; cut -d: -f1 /proc/net/dev; ps -e -o ppid,comm",
    ].join("\n")
    const cold = await bench.run(look)
    await bench.warmUp()
    const warm = await bench.run(look)
    expect([cold.isWarm, warm.isWarm]).toEqual([false, true])
    // Numbers of pipes and mounts differ from start to start, and with them the lengths of what was read.
    const facts = ({ stdout, stderr, isWarm: _, order: _lengths, ...rest }: typeof cold) => ({
      ...rest,
      stdout: stdout.text.replaceAll(/(pipe|socket):\[\d+\]|^\d+ \d+ \d+:\d+ /gm, "N"),
      stderr: stderr.text,
    })
    expect(facts(warm)).toEqual(facts(cold))
  })

  test("is used once: nothing of one command is there for the next", async () => {
    // /tmp is the session's, and lasts.
    const places = "/run/left /dev/shm/left"
    const leave = `ls ${places}; echo mine | tee ${places} >/dev/null; sleep 1000 & echo $HAFT_CALL`
    const marks = new Set<string>()
    for (let round = 0; round < 3; round += 1) {
      await bench.warmUp()
      const { isWarm, stdout, teardown } = await bench.run(leave)
      expect([isWarm, teardown.survivors]).toEqual([true, []])
      expect(stdout.text).toMatch(/^\S+\n$/)
      marks.add(stdout.text)
    }
    expect(marks.size).toBe(3)
  })

  const changes: [string, () => unknown, PrewarmRequest?][] = [
    ["a new file that a rule denies", () => writeFileSync(join(bench.root, "sub", "second.key"), "secret")],
    ["a replaced file that a rule denies", () => replace("first.key")],
    ["a denied file that came back as itself", () => comeBack("first.key")],
    ["a denied file that is gone", () => rmSync(join(bench.root, "first.key"))],
    ["a variable of the caller", () => Object.assign(variables, { SHOWN: "now" })],
    ["a rule book of its own", nothing, { grant: { ...rules, rulesKey: {} } }],
    ["another folder to start in", nothing, { directory: "sub" }],
    ["a further variable of the call", nothing, { environment: { MORE: "1" } }],
    ["another program", nothing, { argv: ["/bin/sh", "-c", "cat first.key sub/second.key; echo end"] }],
  ]
  test.each(changes)("is thrown away for %s", async (_, change, more = {}) => {
    await bench.warmUp()
    const before = waiters()
    change()
    const end = await bench.run("cat first.key sub/second.key; echo end", more)
    expect(end).toMatchObject({ isWarm: false, exitCode: 0 })
    expect(end.stdout.text).toBe("end\n")
    await until(() => !waiters().some((pid) => before.includes(pid)))
  })

  test("is not used when the workspace is another one, and thrown away when the folder it starts in is", async () => {
    await bench.warmUp()
    renameSync(bench.root, `${bench.root}-old`)
    mkdirSync(bench.root)
    await expect(bench.run("ls")).rejects.toMatchObject({ code: "conflict" })
    rmSync(bench.root, { recursive: true })
    renameSync(`${bench.root}-old`, bench.root)
    const inSub = { directory: "sub" }
    await bench.warmUp(inSub)
    renameSync(join(bench.root, "sub"), join(bench.root, "old"))
    mkdirSync(join(bench.root, "sub"))
    writeFileSync(join(bench.root, "sub", "newer"), "")
    expect(await bench.run("ls", inSub)).toMatchObject({ isWarm: false, stdout: { text: "newer\n" } })
  })

  test.for([
    ["is thrown away when something was mounted on what it shows", "root", false],
    ["stays when something was mounted elsewhere", "base", true],
  ] as const)("%s", async ([, where, isWarm], context) => {
    const place = join(bench[where], "a mount")
    mkdirSync(place)
    await bench.warmUp()
    // A user who cannot mount anything needs no proof of what happens then.
    if (spawnSync("mount", ["-t", "tmpfs", "none", place]).status !== 0) context.skip("there is no right to mount")
    try {
      expect((await bench.run("true")).isWarm).toBe(isWarm)
    } finally {
      spawnSync("umount", [place])
    }
  })

  test("waits on while commands come that may not have it", async () => {
    await bench.warmUp()
    const before = waiters()
    for (const one of [{ grant: { ...rules, rulesKey: undefined } }, { input: "x" }]) {
      expect((await bench.run("cat first.key; true", one)).isWarm).toBe(false)
    }
    expect(waiters()).toEqual(before)
    expect((await bench.run("true")).isWarm).toBe(true)
  })

  test("ends with Haft, also when that is killed", async () => {
    const child = spawn(process.execPath, [runner, program, backend], { stdio: ["ignore", "pipe", "inherit"] })
    const [pids] = (await once(child.stdout, "data")) as [Buffer]
    const left = () => JSON.parse(String(pids)).filter((pid: number) => existsSync(`/proc/${pid}`))
    expect(left().length).toBeGreaterThan(0)
    child.kill("SIGKILL")
    await until(() => left().length === 0)
  })

  test("goes when it is told that rules changed", async () => {
    await bench.warmUp()
    await bench.sandboxes.rulesChanged()
    expect(waiters()).toEqual([])
  })

  test("is never made where a command may write or reach a host, and leaves nothing in the workspace", async () => {
    for (const sandbox of [
      { profile: "workspace-write" },
      { profile: "workspace-write+net", hosts: ["example.org"] },
    ] as const) {
      for (let round = 0; round < 3; round += 1) {
        expect((await bench.run("true", { sandbox })).isWarm).toBe(false)
        await quiet()
        expect(waiters()).toEqual([])
      }
    }
    expect(readdirSync(bench.root).sort()).toEqual(["first.key", "sub"])
  })

  test("outlives commands with other sandboxes, and what they wrote is seen", async () => {
    await bench.warmUp()
    await bench.run("echo new > file; echo hidden > sub/late.key", { sandbox: { profile: "workspace-write" } })
    expect(await bench.run("cat file; cat sub/late.key")).toMatchObject({ isWarm: false, stdout: { text: "new\n" } })
    await bench.warmUp()
    await bench.run("echo newer > file", { sandbox: { profile: "workspace-write" } })
    expect(await bench.run("cat file")).toMatchObject({ isWarm: true, stdout: { text: "newer\n" } })
  })

  test("that was killed from outside is not missed", async () => {
    await bench.warmUp()
    // The others end with the first.
    process.kill(waiters()[0]!, "SIGKILL")
    await until(() => waiters().length === 0)
    await quiet()
    expect(await bench.run("echo still")).toMatchObject({ isWarm: false, stdout: { text: "still\n" } })
  })

  test("cannot be said to have been lost by the command", async () => {
    await bench.warmUp()
    const line = `echo "${handshakeFailed}" >&2; exit 125`
    expect(await bench.run(line)).toMatchObject({ isWarm: true, exitCode: 125 })
    await bench.warmUp()
    expect((await bench.run("true")).isWarm).toBe(true)
  })

  test("holds its command to the limits of the session from the start", async (context) => {
    await bench.warmUp()
    const groups = waiters().map((pid) => readFileSync(`/proc/${pid}/cgroup`, "utf8"))
    const { isWarm, isolation } = await bench.run("true")
    expect(isWarm).toBe(true)
    if (isolation.limits.enforcedBy === "rlimit") context.skip("there are no control groups to look at")
    for (const group of groups) expect(group).toMatch(/pids.*\/haft-\d+-\d+-[0-9a-f]{8}$|^0::.*\/haft-/m)
  })

  test("ends with its command: late, silent, aborted, flooding", async () => {
    const stubborn = "trap '' TERM; sleep 1001 & setsid sleep 1001 & sleep 1001"
    await bench.warmUp()
    const late = await bench.run(stubborn, { timeoutMs: 300 })
    expect(late).toMatchObject({ isWarm: true, timedOut: true, exitCode: null, teardown: { survivors: [] } })
    expect(late.teardown.ended).toBeGreaterThanOrEqual(3)
    await bench.warmUp()
    expect(await bench.run("sleep 1001", { idleMs: 200 })).toMatchObject({ isWarm: true, timedOut: true })
    await bench.warmUp()
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 200)
    await expect(bench.run(stubborn, { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" })
    await bench.warmUp()
    const flood = await bench.run("yes | head -c 5000000; echo err >&2; exit 7", { keepBytes: 1000 })
    expect(flood).toMatchObject({ isWarm: true, exitCode: 7, stdout: { totalBytes: 5_000_000, truncated: true } })
    expect(existsSync(flood.outputPath!)).toBe(true)
    await bench.warmUp()
    const killed = await bench.run("kill -KILL $$")
    expect(killed.isWarm).toBe(true)
    expect(killed.exitCode).toBe((await bench.run("kill -KILL $$", { argv: coldly("kill -KILL $$") })).exitCode)
  })

  test("runs every text as it is, or leaves it to another sandbox", async () => {
    for (const text of ["a'b\"c\\d $HOME `x`", "line one\nrun 3\n\n  line two\t", "é ぁ 🚀", "x".repeat(20_000)]) {
      await bench.warmUp()
      const { stdout } = await bench.run('printf %s "$1"', {
        argv: ["/bin/bash", "-c", 'printf %s "$1"', "bash", text],
        keepBytes: 100_000,
      })
      expect(stdout.text).toBe(text)
    }
  })

  test("serves one of many commands at once, and all are right", async () => {
    await bench.warmUp()
    const ends = await Promise.all(Array.from({ length: 40 }, (_, n) => bench.run(`echo ${n}`)))
    expect(ends.map(({ stdout }) => Number(stdout.text))).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(ends.filter(({ isWarm }) => isWarm)).toHaveLength(1)
  })

  function nothing(): void {}

  function replace(name: string): void {
    writeFileSync(join(bench.root, "fresh"), "replaced secret")
    renameSync(join(bench.root, "fresh"), join(bench.root, name))
  }

  /** The same file under the same name, but the cover went with the old link. */
  function comeBack(name: string): void {
    linkSync(join(bench.root, name), join(bench.root, "kept"))
    rmSync(join(bench.root, name))
    renameSync(join(bench.root, "kept"), join(bench.root, name))
  }
})

/** A text that no waiter is told. */
function coldly(command: string): readonly string[] {
  return ["/bin/bash", "-c", `${command} # é`]
}
