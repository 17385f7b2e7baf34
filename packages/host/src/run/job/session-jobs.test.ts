import type { JobRequest, JobView } from "@haft/contract"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { hasNamespaces, namespaceSandbox, plainSandbox } from "../process/testing/test-sandboxes.js"
import { createTestSession, processesWith, type TestSession } from "../process/testing/test-session.js"
import { cutView } from "./look-at-job.js"
import { SessionJobs } from "./session-jobs.js"

let session: TestSession
let jobs: SessionJobs
let ends: JobView[]
const open = (sandbox: typeof plainSandbox) => {
  session = createTestSession(sandbox)
  ends = []
  jobs = new SessionJobs({ ...session.place, sandboxes: session.sandboxes, onEnd: (view) => void ends.push(view) })
}
beforeEach(() => open(plainSandbox))
afterEach(async () => {
  await jobs.close()
  expect(session.standing()).toBe(0)
  session.remove()
})

const port = () => jobs.port(session.call())
const start = (command: string, options: Partial<JobRequest> = {}) =>
  port().start({ argv: ["bash", "-c", command], label: command, ...options })
const { signal } = new AbortController()
const look = (id: string, options: { from?: number; waitMs?: number; filter?: string } = {}) =>
  port().output(id, { signal, ...options })

/** Looks until a view or all output so far is as wanted; the output of the start counts. */
async function until(first: JobView, done: (view: JobView, all: string) => boolean): Promise<string> {
  let all = first.output
  let view = first
  for (let round = 0; round < 100 && !done(view, all); round++) {
    view = await look(first.id, { waitMs: 500 })
    all += view.output
  }
  expect(done(view, all), `so far: ${JSON.stringify(all.slice(-500))}`).toBe(true)
  return all
}

describe("a job", () => {
  test("outlives the call that started it and is read piece by piece, nothing twice", async () => {
    const first = await start("echo one; read line; echo got $line; exit 4")
    const { id } = first
    expect(first.state).toBe("running")
    expect(await until(first, (_, all) => all.includes("one"))).toBe("one\n")
    await port().input(id, "hello\n")
    expect(await until({ ...first, output: "" }, (view) => view.state === "exited")).toBe("got hello\n")
    expect(await look(id)).toMatchObject({ state: "exited", exitCode: 4, output: "" })
    expect(ends).toMatchObject([{ id, state: "exited", exitCode: 4 }])
  })

  test("counts from the moment at which it begins to start: of forty at once 32 run", async () => {
    const starts = await Promise.allSettled(Array.from({ length: 40 }, () => start("read line")))
    const refused = starts.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
    expect(refused).toHaveLength(8)
    expect(refused[0]).toMatchObject({ code: "rate_limited" })
    expect(port().list()).toHaveLength(32)
  })

  test("that is still starting when the session closes is gone when it has closed", async () => {
    const { sandboxes } = session
    const slow = new SessionJobs({
      ...session.place,
      sandboxes: {
        async prepare(request) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          return sandboxes.prepare(request)
        },
      },
      onEnd: (view) => void ends.push(view),
    })
    const started = slow.port(session.call()).start({ argv: ["sleep", `38.${process.pid}`], label: "sleep" })
    await slow.close()
    expect([ends.length, session.standing(), processesWith(`38.${process.pid}`)]).toEqual([1, 0, []])
    expect(await started).toMatchObject({ state: "stopped" })
  })

  test("that ends at once is told as ended by its start", async () => {
    const view = await start("echo bad; exit 7")
    expect(view).toMatchObject({ state: "exited", exitCode: 7, output: "bad\n" })
    expect(ends).toHaveLength(1)
  })

  test("that cannot be started is an error, and its sandbox is given back", async () => {
    await expect(start("", { argv: ["/nonexistent/program"] })).rejects.toMatchObject({ code: "not_found" })
    expect(session.standing()).toBe(0)
    expect(port().list()).toEqual([])
  })

  test("is stopped with all that it started, and tells of its end once", async () => {
    const tag = `31.${process.pid}`
    const { id } = await start(`setsid sleep ${tag} & trap '' TERM; while :; do sleep ${tag}; done`)
    expect(await port().stop(id)).toMatchObject({ state: "stopped", exitCode: null })
    expect(processesWith(tag)).toEqual([])
    expect((await port().stop(id)).state).toBe("stopped")
    expect(ends).toHaveLength(1)
    await expect(port().input(id, "x")).rejects.toMatchObject({ code: "conflict" })
  })

  test("is listed; an unknown one is not found and the known ones are named", async () => {
    const { id } = await start("sleep 30")
    expect(port().list()).toMatchObject([{ id, label: "sleep 30", state: "running" }])
    await expect(look("job_99")).rejects.toMatchObject({ code: "not_found", hint: expect.stringContaining(id) })
  })

  test("does not outlive the session", async () => {
    const tag = `32.${process.pid}`
    await Promise.all([start(`sleep ${tag}`), start(`nohup setsid sleep ${tag} & sleep ${tag}`)])
    await jobs.close()
    expect(processesWith(tag)).toEqual([])
    expect(ends).toHaveLength(2)
    await expect(start("true")).rejects.toMatchObject({ code: "unavailable" })
  })
})

describe("looking at a job", () => {
  test("waits for output, and ends its wait when the caller gives up", async () => {
    const { id } = await start("sleep 0.4; echo late; sleep 30")
    expect((await look(id)).output).toBe("")
    expect((await look(id, { waitMs: 20_000 })).output).toBe("late\n")
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const waiting = port().output(id, { waitMs: 20_000, signal: controller.signal })
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" })
  })

  test("with a filter gives whole lines that contain it, and none twice", async () => {
    const { id } = await start("sleep 0.3; for i in $(seq 1 30); do echo line $i; done; sleep 0.3; printf 'the end 7'")
    let all = ""
    for (let state = "running"; state === "running"; ) {
      const view = await look(id, { filter: "7", waitMs: 5000 })
      all += view.output
      state = view.state
    }
    expect(all).toBe("line 7\nline 17\nline 27\nthe end 7\n")
  })

  test("from a named place gives the same again, also what has left memory", async () => {
    const started = await start("seq 1 400000; sleep 30")
    const { id } = started
    await until(started, (_, all) => all.includes("400000\n"))
    const first = await look(id, { from: 0 })
    expect(first.output.startsWith("1\n2\n3\n")).toBe(true)
    expect(first.lostBytes).toBe(0)
    const second = await look(id, { from: first.next })
    const joined = first.output + second.output
    const numbers = joined.trimEnd().split("\n").slice(0, -1).map(Number)
    expect(numbers.every((number, index) => number === index + 1)).toBe(true)
  })

  test("a flood is held in bounded memory; what was missed is counted", async () => {
    const { id } = await start("yes 0123456789 | head -c 30000000; echo; echo END")
    while (port().list()[0]!.state === "running") await look(id, { waitMs: 100 })
    const { lostBytes, next } = await look(id, { from: 0 })
    expect(lostBytes).toBe(0)
    expect(next).toBeGreaterThan(0)
    expect(port().list()).toMatchObject([{ next: 30_000_005 }])
  })

  test("whatever the pieces, cursor and text never break a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 4, max: 20 }), (text, maxBytes) => {
        const bytes = Buffer.from(text)
        let place = 0
        let all = ""
        while (place < bytes.length) {
          const cut = cutView(bytes.subarray(place), { maxBytes, filter: undefined, running: false })
          expect(cut.length).toBeGreaterThan(0)
          all += cut.text
          place += cut.length
        }
        expect(all).toBe(bytes.toString("utf8"))
      }),
    )
  })
})

const serve = (portNumber: number) =>
  `node -e 'setTimeout(() => require("http").createServer((q, r) => r.end()).listen(${portNumber}, "127.0.0.1"), 200)'`

describe("readiness", () => {
  test("comes with a line that contains the text, also when it arrives in two pieces", async () => {
    const view = await start("sleep 0.3; printf 'listening o'; sleep 0.1; printf 'n port'; sleep 30", {
      readyWhen: { text: "listening on" },
    })
    expect(view.ready).toBe(false)
    await until(view, ({ ready }) => ready === true)
  })

  test("comes when the job's own port answers", async () => {
    const number = 20_000 + (process.pid % 20_000)
    const started = await start(serve(number), { readyWhen: { port: number } })
    expect(started.ready).toBe(false)
    await until(started, (view) => view.ready === true)
    // The same port of another job is not this one's readiness.
    const other = await start("sleep 30", { readyWhen: { port: number } })
    expect(await look(other.id, { waitMs: 600 })).toMatchObject({ ready: false })
  })

  test.skipIf(!hasNamespaces)("comes also when the port is in a network of its own", async () => {
    session.remove()
    open(namespaceSandbox)
    const started = await start(`ip link set lo up 2>/dev/null; ${serve(8123)}`, { readyWhen: { port: 8123 } })
    await until(started, (view) => view.ready === true)
  })
})

describe.each([
  ["unconfined", plainSandbox, process.platform === "linux"],
  ["in a namespace", namespaceSandbox, hasNamespaces],
] as const)("a job with a terminal, %s", (_, sandbox, canRun) => {
  test.skipIf(!canRun)("sees a terminal, takes input, and ^C interrupts its program", async () => {
    session.remove()
    open(sandbox)
    const started = await start("test -t 0 && test -t 1 && echo a terminal; exec bash --norc -i", { terminal: true })
    const { id } = started
    await until(started, (__, all) => all.includes("a terminal"))
    const send = (text: string) => port().input(id, text)
    const rest = { ...started, output: "" }
    await send("echo $((6*7))\n")
    await until(rest, (__, all) => /^42\r?$/m.test(all))
    await send("sleep 60\n")
    await new Promise((resolve) => setTimeout(resolve, 200))
    await send("\x03")
    await send("echo after-$((1+1))\n")
    await until(rest, (__, all) => all.includes("after-2"))
    await send("exit 5\n")
    await until(rest, (view) => view.state === "exited")
    expect(ends).toMatchObject([{ exitCode: 5 }])
  })
})
