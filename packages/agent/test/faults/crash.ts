import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TurnRecord } from "@haft/contract"
import { createId, createRedactor, openStore, type Store } from "@haft/store"
import { build } from "esbuild"
import { expect } from "vitest"
import { MemoryJournal, TurnEngine } from "../../src/engine/index.js"
import { type LogLine, scriptOf } from "./script.js"
import type { Plan } from "./worker.js"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

/** Bundles the worker once: its processes then start in the time that Node itself needs. */
export async function bundleWorker(): Promise<string> {
  // Inside the repository, so that libsql is found.
  const outfile = join(root, "node_modules", ".cache", "haft-faults", `worker-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL("./worker.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["haft-source"],
    external: ["libsql", "pg"],
    logLevel: "warning",
  })
  return outfile
}

/** How a process of a fault test ended. */
export interface Ended {
  readonly isKilled: boolean
  readonly lines: readonly string[]
}

/** Runs one process to its end. */
export async function runWorker(bundle: string, plan: Plan): Promise<Ended> {
  const child = spawn(process.execPath, [bundle, JSON.stringify(plan)], { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  let errors = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (errors += chunk))
  const [code, signal] = (await once(child, "close")) as [number | null, string | null]
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`The worker ended with ${code ?? signal}: ${errors}`)
  return { isKilled: signal === "SIGKILL", lines: output.trim().split("\n") }
}

/** A session in a journal of its own, and what its processes did. */
export class Crash {
  readonly location: string
  readonly log: string
  readonly sessionId = createId("ses")
  readonly killed: string[] = []
  readonly events: string[] = []
  /** The names of the points that the last process came to. */
  points: readonly string[] = []
  private readonly bundle: string
  private readonly turns: Plan["turns"]

  constructor(bundle: string, folder: string, turns: Plan["turns"]) {
    this.bundle = bundle
    this.turns = turns
    this.location = join(folder, `${this.sessionId}.db`)
    this.log = join(folder, `${this.sessionId}.log`)
  }

  async open(): Promise<Store> {
    return openStore({ location: this.location, redact: createRedactor({ key: new Uint8Array(32) }) })
  }

  /** Kills one process after another at these points, and lets the last one go to the end. */
  async run(kills: readonly number[], watch = false): Promise<this> {
    await this.createSessions()
    for (const killAt of [...kills, 0]) {
      const { location, log, sessionId, turns } = this
      const watchFrom = watch ? { watchFrom: lastCursor(this.events) } : {}
      const { isKilled, lines } = await runWorker(this.bundle, {
        location,
        log,
        sessionId,
        turns,
        killAt,
        ...watchFrom,
      })
      const line = (start: string) => lines.find((each) => each.startsWith(start))?.slice(start.length)
      this.events.push(...lines.filter((each) => each.startsWith("event ")).map((each) => each.slice(6)))
      const resumedMs = line("resumed after ")
      if (resumedMs !== undefined) expect(Number.parseInt(resumedMs, 10)).toBeLessThan(2000)
      if (isKilled) this.killed.push(line("killed at ")!)
      else this.points = JSON.parse(line("points ")!) as readonly string[]
      // A point that the turn does not come to any more is no kill.
      if (!isKilled) return this
    }
    return this
  }

  /** Checks the invariants of DURABLE section 5, and gives the transcripts by turn. */
  async check(): Promise<ReadonlyMap<string, string>> {
    const store = await this.open()
    try {
      const lines = await readLog(this.log)
      const sessions = [this.sessionId, `${this.sessionId}-child`]
      const records = (await Promise.all(sessions.map((id) => store.records(id)))).flat()
      for (const id of sessions) expect(await store.verify(id)).toMatchObject({ ok: true, open: 0 })
      recordedOnce(records)
      neverAfterRecord(lines)
      fewStarts(lines, this.killed.length)
      noInterleaving(lines, this.sessionId)
      return await replay(records, this.sessionId)
    } finally {
      await store.close()
    }
  }

  private async createSessions(): Promise<void> {
    const store = await this.open()
    for (const id of [this.sessionId, `${this.sessionId}-child`]) {
      const now = Date.now()
      await store.createSession({
        id,
        agent: "fault",
        workspaceRoot: null,
        roots: [],
        directory: "/",
        permissions: [],
        createdAt: now,
        updatedAt: now,
        archivedAt: null,
        metadata: {},
      })
    }
    await store.close()
  }
}

/** The lines that the fake tools wrote. */
export async function readLog(file: string): Promise<readonly LogLine[]> {
  const text = await readFile(file, "utf8").catch(() => "")
  return text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LogLine)
}

function lastCursor(events: readonly string[]): number {
  return Math.max(0, ...events.map((event) => (JSON.parse(event) as { cursor?: number }).cursor ?? 0))
}

const keyOf = ({ session, turn, key }: LogLine) => `${session}/${turn}/${key}`

/** I1: each key is recorded once. */
function recordedOnce(records: readonly TurnRecord[]): void {
  const keys = records
    .filter((record) => record.kind === "step" || record.kind === "failure")
    .map(({ sessionId, turnId, key }) => `${sessionId}/${turnId}/${key}`)
  expect(keys).toEqual([...new Set(keys)])
}

/** I2: a key with a record never starts again. */
function neverAfterRecord(lines: readonly LogLine[]): void {
  const known = new Set<string>()
  for (const line of lines) {
    if (line.phase === "known") known.add(keyOf(line))
    else if (line.phase === "start") expect(known).not.toContain(keyOf(line))
  }
}

/** I3 and I6: a key starts at most once more than there were kills, and a `never` tool once. */
function fewStarts(lines: readonly LogLine[], kills: number): void {
  const starts = new Map<string, number>()
  for (const line of lines.filter(({ phase }) => phase === "start")) {
    starts.set(keyOf(line), (starts.get(keyOf(line)) ?? 0) + 1)
  }
  for (const [key, count] of starts) {
    expect(count, key).toBeLessThanOrEqual(/\/(?:write|right)$/.test(key) ? 1 : kills + 1)
  }
}

/** I4: no two turns of one session interleave. */
function noInterleaving(lines: readonly LogLine[], sessionId: string): void {
  const turns = lines.filter(({ session, phase }) => session === sessionId && phase !== "known").map(({ turn }) => turn)
  const runs = turns.filter((turn, index) => turn !== turns[index - 1])
  expect(runs).toEqual([...new Set(runs)])
}

/** I5: the record gives the same transcript again, byte for byte, and starts no tool. */
async function replay(records: readonly TurnRecord[], sessionId: string): Promise<ReadonlyMap<string, string>> {
  const transcripts = new Map<string, string>()
  const journal = new MemoryJournal()
  for (const record of records) {
    if (record.sessionId !== sessionId || record.kind !== "end") await journal.append(record)
    else transcripts.set(record.turnId, JSON.stringify(record.result))
  }
  const started: string[] = []
  const tools = { log: ({ key }: { readonly key: string }) => void started.push(key), point: () => undefined }
  const engine = new TurnEngine({ journal, code: scriptOf(tools) })
  await engine.resume(sessionId)
  for (const [turnId, transcript] of transcripts) {
    expect(JSON.stringify(await engine.result(sessionId, turnId))).toBe(transcript)
  }
  expect(started).toEqual([])
  return transcripts
}
