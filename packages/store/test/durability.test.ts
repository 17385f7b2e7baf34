import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import fs, { readFileSync, readlinkSync } from "node:fs"
import { mkdir, mkdtemp, open, readdir, rm, stat, symlink, writeFile } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { sql } from "kysely"
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { Blobs } from "../src/blobs.js"
import { openSqlite } from "../src/driver/sqlite/open-sqlite.js"
import { createId, openStore } from "../src/index.js"
import { JournalStore } from "../src/journal-store.js"
import { migrate } from "../src/schema/migrate.js"
import { openCall, sampleCall, sampleRedactor, sampleSession } from "./samples.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const program = fileURLToPath(new URL("./record-calls.ts", import.meta.url))

let folder: string
let location: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-durable-"))
  location = join(folder, "home", "journal.db")
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const openHere = () => openStore({ location, redact: sampleRedactor })

interface Writer {
  readonly child: ChildProcess
  readonly lines: string[]
  /** Resolves when the process has said so many lines. */
  said(count: number): Promise<void>
  ended: Promise<unknown>
}

function startWriter(...parameters: readonly string[]): Writer {
  const child = spawn(process.execPath, [join(root, "scripts/run-ts.mjs"), program, location, ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout! }).on("line", (line) => lines.push(line))
  const ended = once(child, "close")
  return {
    child,
    lines,
    ended,
    async said(count) {
      while (lines.length < count)
        await Promise.race([once(reader, "line"), ended.then(() => Promise.reject(new Error("it ended early")))])
    },
  }
}

test("two processes write to one journal at the same time, and the chain of each session is right", async () => {
  const sessions = [createId("ses"), createId("ses")]
  const writers = sessions.map((sessionId) => startWriter(sessionId, "60", "claim"))
  await Promise.all(writers.map((writer) => writer.ended))
  expect(writers.map((writer) => writer.child.exitCode)).toEqual([0, 0])
  const store = await openHere()
  for (const sessionId of sessions)
    expect(await store.verify(sessionId)).toMatchObject({ ok: true, parts: 60, open: 0 })
  await store.close()
})

test("two processes that share a session without owning it still make one chain", async () => {
  const sessionId = createId("ses")
  const store = await openHere()
  await store.createSession(sampleSession({ id: sessionId }))
  const writers = [startWriter(sessionId, "30"), startWriter(sessionId, "30")]
  await Promise.all(writers.map((writer) => writer.ended))
  expect(await store.verify(sessionId)).toMatchObject({ ok: true, parts: 60, open: 0 })
  await store.close()
})

test("[C2-107] after kill -9 every call that was reported is there, the chain holds, and the session can be taken over", async () => {
  const sessionId = createId("ses")
  const writer = startWriter(sessionId, "1000000", "claim")
  await writer.said(80)
  const store = await openHere()
  await expect(store.claim(sessionId)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining(`process ${writer.child.pid}`),
  })
  writer.child.kill("SIGKILL")
  await writer.ended
  const reported = writer.lines
    .filter((line) => line.startsWith("settled "))
    .map((line) => line.slice("settled ".length))
  const ended = (await store.calls(sessionId)).filter((call) => call.envelope).map((call) => call.callId)
  expect(ended.slice(0, reported.length)).toEqual(reported)
  expect(await store.verify(sessionId)).toMatchObject({ ok: true })
  const lease = await store.claim(sessionId)
  await store.settle(sampleCall(sessionId))
  expect(await store.verify(sessionId)).toMatchObject({ ok: true, open: 0 })
  expect((await store.calls(sessionId)).every((call) => call.envelope)).toBe(true)
  await lease.release()
  await store.close()
})

test("files are readable by their owner alone, whatever the umask", async () => {
  const umask = process.umask(0)
  try {
    const store = await openHere()
    await store.createSession(sampleSession())
    expect((await stat(join(folder, "home"))).mode & 0o777).toBe(0o700)
    const files = await readdir(join(folder, "home"))
    expect(files.sort()).toEqual(["journal.db", "journal.db-shm", "journal.db-wal"])
    for (const file of files) expect((await stat(join(folder, "home", file))).mode & 0o777).toBe(0o600)
    await store.close()
  } finally {
    process.umask(umask)
  }
})

test("a folder that was there before keeps its mode", async () => {
  location = join(folder, "journal.db")
  const before = (await stat(folder)).mode
  await (await openHere()).close()
  expect((await stat(folder)).mode).toBe(before)
})

test("a file that is no journal is refused with its name and the next step, and is not touched", async () => {
  location = join(folder, "journal.db")
  const content = "not a database ".repeat(500)
  await writeFile(location, content)
  await expect(openHere()).rejects.toMatchObject({
    code: "backend",
    message: expect.stringContaining(location),
    hint: expect.stringContaining("haft doctor"),
  })
  expect(readFileSync(location, "utf8")).toBe(content)
})

test("a folder in the place of the journal is refused, and keeps its mode", async () => {
  location = folder
  const { mode } = await stat(folder)
  await expect(openHere()).rejects.toMatchObject({
    code: "invalid_args",
    message: `Cannot open the journal "${folder}": it is not a file`,
    hint: `Name a file, for instance "${join(folder, "journal.db")}"`,
  })
  expect((await stat(folder)).mode).toBe(mode)
})

test("a journal with destroyed pages fails with a typed error, not with a wrong answer", async () => {
  const session = sampleSession()
  const store = await openHere()
  await store.createSession(session)
  for (let done = 0; done < 50; done++) await store.settle(sampleCall(session.id))
  await store.close()
  const driver = await openSqlite(location)
  await sql`pragma wal_checkpoint(truncate)`.execute(driver.db)
  await driver.close()
  const { size } = await stat(location)
  const file = await open(location, "r+")
  // All but the first page, which holds the schema.
  await file.write(Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096)
  await file.close()
  const damaged = await openHere()
  const refusal = { code: "backend", message: expect.stringContaining("damaged") }
  await expect(damaged.calls(session.id)).rejects.toMatchObject(refusal)
  await expect(damaged.settle(sampleCall(session.id))).rejects.toMatchObject(refusal)
  await damaged.close()
})

test("a place that cannot be written is a typed error", async () => {
  await writeFile(join(folder, "file"), "")
  location = join(folder, "file", "journal.db")
  await expect(openHere()).rejects.toMatchObject({
    name: "ToolError",
    message: expect.stringContaining("Cannot open the journal"),
  })
})

test("a server that does not answer is a typed error that does not tell the password", async () => {
  const refused = openStore({ location: "postgres://user:pass1word@127.0.0.1:1/db", redact: sampleRedactor })
  await expect(refused).rejects.toMatchObject({
    code: "unavailable",
    message: expect.not.stringContaining("pass1word"),
  })
})

test("an open call survives as open when its process closes the store", async () => {
  const session = sampleSession()
  const store = await openHere()
  await store.createSession(session)
  await store.begin(openCall(sampleCall(session.id)))
  await store.close()
  const again = await openHere()
  expect(await again.verify(session.id)).toMatchObject({ ok: true, parts: 0, open: 1 })
  await again.close()
})

test("a commit is on the disk when it returns, but for records that may be lost", async () => {
  await mkdir(join(folder, "real"))
  // SQLite puts the log beside the file that a link leads to.
  await writeFile(join(folder, "real", "journal.db"), "", { mode: 0o600 })
  location = join(folder, "link.db")
  await symlink(join(folder, "real", "journal.db"), location)
  const syncs = watchSyncs()
  const store = await openHere()
  expect(syncs.take()).toEqual(["journal.db-wal"])
  const session = sampleSession()
  await store.createSession(session)
  await store.claim(session.id)
  expect(syncs.take()).toEqual(["journal.db-wal", "journal.db-wal"])
  for (let done = 0; done < 3; done++) await store.settle(sampleCall(session.id))
  expect(syncs.take()).toEqual([])
  const call = sampleCall(session.id)
  await store.begin(openCall(call))
  expect(syncs.take()).toEqual(["journal.db-wal"])
  await store.settle(call)
  expect(syncs.take()).toEqual(["journal.db-wal"])
  // As many as make it write the head of the chain to the session's row, which can be lost too.
  for (let done = 0; done < 80; done++) await store.settle(sampleCall(session.id))
  expect((await store.verify(session.id)).ok).toBe(true)
  expect(syncs.take()).toEqual([])
  await store.close()
  expect(syncs.isOpen()).toBe(false)
})

/** Lets every sync of a descriptor through and notes its file. */
function watchSyncs() {
  const taken: string[] = []
  let last = -1
  const { fdatasyncSync } = fs
  fs.fdatasyncSync = (descriptor) => {
    last = descriptor
    taken.push(basename(targetOf(descriptor)))
    fdatasyncSync(descriptor)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.fdatasyncSync = fdatasyncSync
    syncBuiltinESMExports()
  })
  return { take: () => taken.splice(0), isOpen: () => targetOf(last).endsWith("-wal") }
}

/** The file behind a descriptor; empty for one that was closed meanwhile. */
function targetOf(descriptor: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ""
  }
}

test("a large value is on disk before its record, also where the record itself waits for the next sync", async () => {
  const file = await open(join(folder, "any"), "w")
  await file.close()
  const sync = vi.spyOn(Object.getPrototypeOf(file), "sync")
  onTestFinished(() => sync.mockRestore())
  const store = await openStore({ location, redact: sampleRedactor })
  const session = sampleSession()
  await store.createSession(session)
  for (const synced of [false, true]) {
    const value = `${synced}`.repeat(100_000)
    const step = { kind: "step", key: `${synced}`, attempt: 1, value } as const
    await store.append({ sessionId: session.id, turnId: "t", at: 1, ...step }, { synced })
    expect(sync).toHaveBeenCalledTimes(synced ? 2 : 1)
  }
  await store.close()
})

test("begin and end of a call that must not run twice are synced; a call that changed nothing is not", async () => {
  const synced: boolean[] = []
  const driver = await openSqlite(location)
  await migrate(driver)
  const recording = {
    ...driver,
    write: (writes: Parameters<typeof driver.write>[0]) => {
      synced.push(...writes.map((write) => write.synced))
      return driver.write(writes)
    },
  }
  const store = new JournalStore(recording, {
    redact: sampleRedactor,
    blobs: new Blobs(undefined),
    now: Date.now,
    process: undefined,
  })
  const session = sampleSession()
  await store.createSession(session)
  await store.settle(sampleCall(session.id))
  await store.claim(session.id)
  const never = sampleCall(session.id)
  await store.begin(openCall(never))
  await store.settle(never)
  await store.settle(sampleCall(session.id))
  await store.settle(
    sampleCall(session.id, {
      effects: [{ kind: "fs.delete", path: "/work/a/b", before: null, after: null, kept: true }],
    }),
  )
  expect(synced).toEqual([true, true, false, true])
  await store.close()
})

test("a journal of schema 1 opens: parts of foreign sessions are numbered, and the chain goes on", async () => {
  const first = await openHere()
  const own = sampleSession()
  const foreign = sampleSession()
  await first.createSession(own)
  await first.createSession(foreign)
  await first.settle(sampleCall(own.id))
  await first.close()
  const driver = await openSqlite(location)
  await sql`drop index chat_parts_session_id_index`.execute(driver.db)
  await sql`create index chat_parts_session_id on chat_parts (session_id)`.execute(driver.db)
  for (const message of ["msg_a", "msg_b"]) {
    const times = { created_at: 5, updated_at: 5 }
    const row = { id: message, session_id: foreign.id, role: "user" as const, metadata_json: "{}", ...times }
    await driver.db.insertInto("chat_messages").values(row).execute()
    for (const index of [0, 1]) {
      const part = {
        id: `${message}${index}`,
        message_id: message,
        session_id: foreign.id,
        index,
        type: "text",
        ...times,
      }
      await driver.db
        .insertInto("chat_parts")
        .values({ ...part, data_json: "{}", tool_call_id: null, tool_state: null })
        .execute()
    }
  }
  await driver.writeVersion(driver.db, 1)

  const store = await openHere()
  const parts = driver.db.selectFrom("chat_parts").where("session_id", "=", foreign.id).orderBy("index")
  expect(await parts.select(["id", "index"]).execute()).toEqual([
    { id: "msg_a0", index: 0 },
    { id: "msg_a1", index: 1 },
    { id: "msg_b0", index: 2 },
    { id: "msg_b1", index: 3 },
  ])
  expect(await driver.readVersion(driver.db)).toBe(3)
  await store.claim(own.id)
  await store.append({ sessionId: own.id, turnId: "t", at: 1, kind: "start", input: "go on" }, { synced: true })
  await store.settle(sampleCall(own.id))
  expect(await store.verify(own.id)).toMatchObject({ ok: true, parts: 3 })
  await store.close()
  await driver.close()
})
