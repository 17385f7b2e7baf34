import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileEffectKind, JobView, PathRules, SandboxedCall, SandboxedGrant, SandboxSpec } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere } from "../../sandbox/testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../../sandbox/testing/sandbox-bench.js"
import { SessionJobs } from "../job/session-jobs.js"
import { processesWith } from "../process/testing/test-session.js"
import { SessionRepl } from "../repl/session-repl.js"

const { signal } = new AbortController()
const reads = (pattern: RegExp) => (kind: FileEffectKind, path: string) => kind === "fs.read" && pattern.test(path)

/** Rules that deny reading what a pattern finds; each has a key of its own. */
function rulesOf(pattern: RegExp): PathRules {
  return { denies: reads(pattern), rulesKey: {} }
}

function callWith(rules: PathRules, grant: Partial<SandboxedGrant> = {}): SandboxedCall {
  const sandbox: SandboxSpec = { profile: "workspace-write", hosts: [], approved: [], unconfined: false }
  return {
    callId: "call_1",
    sessionId: "session_1",
    signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    grant: { admits: () => true, mayKeep: () => true, sandbox, ...rules, ...grant },
    observe: () => undefined,
  }
}

/** Undefined for one that has ended since it was seen. */
function stateOf(pid: number): string | undefined {
  try {
    return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1]
  } catch {
    return undefined
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.each(backendsHere)("a process that outlives its call, behind %s", (backend) => {
  let ground: SandboxBench
  let jobs: SessionJobs
  let repl: SessionRepl
  let ends: JobView[]
  beforeEach(async () => {
    ground = await makeSandboxBench({ backend })
    ends = []
    const { root, haftHome, sandboxes } = ground
    const place = { roots: [root], directory: root, sessionFolder: join(haftHome, "sessions", "s1"), sandboxes }
    jobs = new SessionJobs({ ...place, onEnd: (view) => void ends.push(view) })
    repl = new SessionRepl(place)
    writeFileSync(join(root, "plain.txt"), "plain")
    writeFileSync(join(root, "first.key"), "secret")
  })
  afterEach(async () => {
    await Promise.all([jobs.close(), repl.close()])
    await ground.close()
  })

  const start = (rules: PathRules, command: string, grant: Partial<SandboxedGrant> = {}) =>
    jobs.port(callWith(rules, grant)).start({ argv: ["bash", "-c", command], label: command })
  const look = (rules: PathRules, id: string) => jobs.port(callWith(rules)).output(id, { signal })
  const evaluate = (rules: PathRules, code: string) =>
    repl.port(callWith(rules)).evaluate({ language: "python", code, timeoutMs: 30_000, keepBytes: 10_000, signal })
  const ticks = () => Number(readFileSync(join(ground.root, "ticks"), "utf8").length)
  const ticking = "while :; do printf x >> ticks; sleep 0.01; done"

  test("a job goes on under rules that deny nothing it could see", async () => {
    const first = rulesOf(/\.key$/)
    const { id } = await start(first, ticking)
    await until(() => existsSync(join(ground.root, "ticks")))
    expect(await jobs.rulesChanged(rulesOf(/\.(?:key|never)$/))).toEqual([])
    const before = ticks()
    await until(() => ticks() > before)
    expect((await look(rulesOf(/\.key$/), id)).state).toBe("running")
  })

  test("a job is ended at once when a rule denies what it could read, and the next look says why", async () => {
    const { id } = await start(rulesOf(/\.key$/), "trap 'cat plain.txt > late' TERM; while :; do sleep 0.01; done")
    const tighter = rulesOf(/plain/)
    expect(await jobs.rulesChanged(tighter)).toMatchObject([
      { kind: "job", name: id, reason: expect.stringContaining("tighter") },
    ])
    const view = await look(tighter, id)
    expect(view).toMatchObject({ state: "stopped", exitCode: null, note: expect.stringContaining("tighter") })
    expect(ends).toHaveLength(1)
    // It was not asked to end: its trap would have read the file.
    expect(() => readFileSync(join(ground.root, "late"))).toThrow("ENOENT")
    await expect(jobs.port(callWith(tighter)).input(id, "x")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("tighter"),
    })
  })

  test("nobody told of new rules: the next look ends the job", async () => {
    const { id } = await start(rulesOf(/\.key$/), ticking)
    expect(await look(rulesOf(/plain/), id)).toMatchObject({ state: "stopped", note: expect.any(String) })
  })

  test("a hidden file that was replaced ends the job, one that is only written does not", async () => {
    const rules = rulesOf(/\.key$/)
    const { id } = await start(rules, ticking)
    writeFileSync(join(ground.root, "first.key"), "changed in its place")
    expect((await look(rules, id)).state).toBe("running")
    writeFileSync(join(ground.root, "new"), "replaced")
    renameSync(join(ground.root, "new"), join(ground.root, "first.key"))
    expect(await look(rules, id)).toMatchObject({ state: "stopped", note: expect.stringContaining("replaced") })
  })

  test("a denied file, a folder and a socket that are newer than the job do not end it", async () => {
    const rules = rulesOf(/\.key$/)
    await start(rules, "mkfifo pipe; echo mine > own.key; touch made; sleep 60")
    await until(() => existsSync(join(ground.root, "made")))
    mkdirSync(join(ground.root, "more"))
    writeFileSync(join(ground.root, "more/late.key"), "")
    expect(await jobs.rulesChanged(rulesOf(/\.key$/))).toEqual([])
  })

  test("a job is ended when the same call would be refused, or get a narrower sandbox", async () => {
    const rules = rulesOf(/\.key$/)
    let now: SandboxSpec | undefined = { profile: "workspace-write", hosts: [], approved: [], unconfined: false }
    const { id } = await start(rules, ticking, { renewed: () => now })
    const other = await start(rules, ticking, { renewed: () => now })
    expect(await jobs.rulesChanged(rulesOf(/\.key$/))).toEqual([])
    now = { ...now, profile: "read-only" }
    expect((await jobs.rulesChanged(rulesOf(/\.key$/))).map(({ name }) => name)).toEqual([id, other.id])
    now = undefined
    const refused = await start(rules, ticking, { renewed: () => now })
    expect(await look(rulesOf(/\.key$/), refused.id)).toMatchObject({ note: expect.stringContaining("refuse") })
  })

  test("a job that starts while rules become tighter does not outlive its start", async () => {
    const starting = start(rulesOf(/\.key$/), ticking)
    const tighter = rulesOf(/plain/)
    await jobs.rulesChanged(tighter)
    expect(await starting).toMatchObject({ state: "stopped", note: expect.any(String) })
  })

  test("a job that somebody stopped stays stopped", async () => {
    const { id } = await start(rulesOf(/\.key$/), "printf x > ticks; kill -STOP $$; printf x >> ticks; sleep 60")
    await until(() => processesWith("kill -STOP").some((pid) => stateOf(pid) === "T"))
    const stopped = () => jobs.rulesChanged(rulesOf(/\.key$/))
    for (let round = 0; round < 5; round += 1) expect(await stopped()).toEqual([])
    expect((await look(rulesOf(/\.key$/), id)).state).toBe("running")
    expect(ticks()).toBe(1)
  })

  test("an interpreter loses its state when rules become tighter, and says so once", async () => {
    const first = rulesOf(/\.key$/)
    expect(await evaluate(first, "x = open('plain.txt').read()\nprint(x)")).toMatchObject({
      stdout: { text: "plain\n" },
    })
    expect(await evaluate(rulesOf(/\.(?:key|pem)$/), "print(x)")).toMatchObject({ stdout: { text: "plain\n" } })
    const tighter = rulesOf(/plain/)
    expect(await repl.rulesChanged(tighter)).toMatchObject([{ kind: "interpreter", name: "python" }])
    const after = await evaluate(tighter, "print('x' in globals())\nopen('plain.txt')")
    expect(after).toMatchObject({ exitCode: 1, stdout: { text: "False\n" } })
    expect(after.stderr.text).toMatch(/PermissionError.*ended because rules became tighter.*state is lost/s)
    expect((await evaluate(tighter, "1")).stderr.text).toBe("")
  })

  test("a piece that runs when rules become tighter is cut off and told why", async () => {
    const first = rulesOf(/\.key$/)
    await evaluate(first, "import time")
    const running = evaluate(first, "while True: time.sleep(0.01)")
    expect(await repl.rulesChanged(rulesOf(/plain/))).toHaveLength(1)
    const { exitCode, stderr } = await running
    expect(exitCode).toBeNull()
    expect(stderr.text).toContain("rules became tighter")
  })
})
