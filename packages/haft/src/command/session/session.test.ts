import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { createRedactor, openStore } from "@haft/store"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

async function call(
  ...words: readonly string[]
): Promise<{ session_id: string; call_id: string; output_path?: string }> {
  const { stdout } = await bench.run(["call", ...words, "--json", "--yes"])
  return (JSON.parse(stdout) as { metadata: { session_id: string; call_id: string; output_path?: string } }).metadata
}

const opened = () =>
  openStore({ location: join(bench.home, "journal.db"), redact: createRedactor({ key: new Uint8Array(32) }) })

/** A session that an agent of that one started, and that was used after it. */
async function subagentOf(parent: string): Promise<string> {
  const store = await opened()
  const [id, at] = ["ses_child", Date.now() + 60_000]
  const { usage: _, ...record } = (await store.session(parent))!
  await store.createSession({ ...record, id, agent: "explore", parentId: parent, metadata: { parent }, updatedAt: at })
  const turn = { sessionId: id, turnId: "t1", at, kind: "start", input: { text: "Look" } } as const
  await store.append(turn, { synced: true })
  await store.close()
  return id
}

describe("haft session", () => {
  test("a call leaves a session that can be listed, shown and gone on with", async () => {
    const { session_id } = await call("write", "file_path=a.txt", "content=one")
    await call("read", "file_path=a.txt", "--session", session_id)
    const [only, ...others] = JSON.parse((await bench.run(["session", "list", "--json"])).stdout) as {
      id: string
      calls: number
    }[]
    expect(others).toEqual([])
    expect(only).toMatchObject({ id: session_id, calls: 2 })
    const { stdout } = await bench.run(["session", "show", session_id.slice(0, 20)])
    expect(stdout).toContain("write")
    expect(stdout).toContain("fs.write")
    expect(stdout).toContain('allow: the caller answered in advance (no rule settles fs.write of "a.txt")')
    expect(stdout).toContain("output after")
  })

  test("show tells of the turns of an agent between their calls", async () => {
    const { session_id } = await call("ls")
    const store = await opened()
    const turn = { sessionId: session_id, turnId: "t1", at: Date.now() + 1000 }
    await store.append({ ...turn, kind: "start", input: { text: "Say hello" } }, { synced: true })
    await store.append({ ...turn, kind: "step", key: "reply:1", attempt: 1, value: "hello" }, { synced: true })
    await store.append({ ...turn, kind: "end", result: { state: "aborted", reason: "enough" } }, { synced: true })
    for (const reason of ["model-error", "done"]) {
      const next = { ...turn, turnId: reason, at: turn.at + 1 }
      const value = { reason, ...(reason === "done" ? {} : { message: "refused the key" }) }
      await store.append({ ...next, kind: "end", result: { state: "done", value } }, { synced: true })
    }
    await store.close()
    const { stdout } = await bench.run(["session", "show", session_id])
    expect(stdout).toMatch(/ls.*turn {2}starts: \{"text":"Say hello"\}.*turn {2}ends aborted: enough/s)
    expect(stdout).toMatch(/turn {2}ends model-error: refused the key {2}model-error$/m)
    expect(stdout).toMatch(/turn {2}ends {2}done$/m)
    expect(stdout).not.toContain("reply:1")
    expect((await bench.run(["session", "verify", session_id])).code).toBe(0)
  })

  test("`last` is no session of a subagent, also where that was used last; the list says which are", async () => {
    const { session_id } = await call("ls")
    const child = await subagentOf(session_id)
    const rows = JSON.parse((await bench.run(["session", "list", "--json"])).stdout) as { id: string }[]
    expect(rows).toMatchObject([{ id: child, parentId: session_id }, { id: session_id }])
    expect(rows[1]).not.toHaveProperty("parentId")
    const shown = await bench.run(["session", "show", "last", "--json"])
    expect(JSON.parse(shown.stdout)).toMatchObject({ session: { id: session_id } })
    expect((await call("ls", "--session", "last")).session_id).toBe(session_id)
    const { stdout } = await bench.run(["session", "list"])
    expect(stdout).toMatch(new RegExp(`^${child} +explore +0`, "m"))
    expect(stdout).toMatch(new RegExp(`^${session_id} +- +2`, "m"))
  })

  test("[C2-171] replay prints the recorded results without running a tool", async () => {
    const { session_id } = await call("write", "file_path=a.txt", "content=one")
    await call("read", "file_path=a.txt", "--session", session_id)
    await call("write", "file_path=a.txt", "content=two")
    const { code, stdout } = await bench.run(["session", "replay", session_id])
    expect(code).toBe(0)
    expect(stdout).toContain("> write")
    expect(stdout).toContain("one")
    expect(bench.read("a.txt")).toBe("two")
    const rows = JSON.parse((await bench.run(["session", "replay", session_id, "--json"])).stdout) as {
      envelope: { type: string }
    }[]
    expect(rows.map(({ envelope }) => envelope.type)).toEqual(["output", "output"])
  })

  test("export writes JSON lines, to a file for the user alone", async () => {
    const { session_id } = await call("ls")
    const lines = (await bench.run(["session", "export", session_id])).stdout.trim().split("\n")
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(["session", "message", "part"])
    const file = join(bench.work, "out.jsonl")
    expect((await bench.run(["session", "export", session_id, "--output", "out.jsonl"])).code).toBe(0)
    expect(readFileSync(file, "utf8").trim().split("\n")).toEqual(lines)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await bench.run(["session", "export", session_id, "--output", "out.jsonl"])
    expect(again.code).toBe(5)
    expect(again.stderr).toContain("exists already")
  })

  test("verify is content with an untouched session", async () => {
    const { session_id } = await call("ls")
    const { code, stdout } = await bench.run(["session", "verify", session_id, "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, parts: 1 })
  })

  test("verify counts one record as one", async () => {
    const { session_id } = await call("ls")
    expect((await bench.run(["session", "verify", session_id])).stdout).toBe("ok: 1 record\n")
  })

  test("verify exits 7 when a record was changed", async () => {
    const { session_id } = await call("ls")
    const libsql = (await import("libsql")).default
    const database = new libsql(join(bench.home, "journal.db"))
    database.exec("UPDATE chat_parts SET data_json = replace(data_json, '\"ls\"', '\"rm\"')")
    database.close()
    const { code, stdout } = await bench.run(["session", "verify", session_id])
    expect(code).toBe(7)
    expect(stdout).toContain("failed")
  })

  test("going on with a session whose records were changed is a warning, once, and the call is made", async () => {
    const { session_id } = await call("ls")
    const goOn = () => bench.run(["call", "ls", "--session", session_id, "--json"])
    expect((await goOn()).stderr).toBe("")
    const libsql = (await import("libsql")).default
    const database = new libsql(join(bench.home, "journal.db"))
    database.exec("UPDATE chat_parts SET data_json = replace(data_json, '\"ls\"', '\"rm\"')")
    database.close()
    const { code, stdout, stderr } = await goOn()
    expect([code, JSON.parse(stdout).type]).toEqual([0, "output"])
    expect(stderr.match(/^warning: the journal of this session fails its check at record 1 /gm)).toHaveLength(1)
    expect(stderr).toContain(`haft session verify ${session_id}`)
  })

  test("[C2-45] sidecars stay after the call and go with the session", async () => {
    for (let index = 0; index < 1100; index++) bench.write(`many/${index}.txt`, "")
    const { session_id, output_path } = await call("glob", "pattern=many/**")
    expect(existsSync(output_path!)).toBe(true)
    const { code } = await bench.run(["call", "read", `file_path=${output_path}`, "--session", session_id])
    expect(code).toBe(0)
    expect((await bench.run(["session", "remove", session_id])).code).toBe(0)
    expect(existsSync(output_path!)).toBe(false)
    expect(readdirSync(join(bench.home, "sessions"))).toEqual([])
    expect((await bench.run(["session", "show", session_id])).code).toBe(5)
  })

  test("a session that another process has is neither removed nor rewound, and the next step fits", async () => {
    const { session_id } = await call("ls")
    const store = await opened()
    const turn = { sessionId: session_id, turnId: "t1", at: Date.now() }
    await store.append({ ...turn, kind: "start", input: { text: "Look" } }, { synced: true })
    await store.append({ ...turn, kind: "end", result: { state: "done", value: {} } }, { synced: true })
    await store.claim(session_id)
    for (const words of [
      ["remove", "last"],
      ["rewind", "last", "t1"],
    ]) {
      const { code, stderr } = await bench.run(["session", ...words])
      expect(code).toBe(5)
      expect(stderr).toMatch(
        new RegExp(
          `^error: Cannot use session "${session_id}": .* owns it\n  Wait until that process is done, or end it\n$`,
        ),
      )
    }
    const used = await bench.run(["call", "ls", "--session", "last"])
    expect(used.stderr).toContain("owns it\n  End that process, or leave --session out to get a session of its own\n")
    await store.close()
    expect((await bench.run(["session", "remove", "last"])).code).toBe(0)
  })

  test("a misspelt id removes nothing", async () => {
    const { session_id } = await call("ls")
    expect((await bench.run(["session", "remove", session_id, "ses_none"])).code).toBe(5)
    expect((await bench.run(["session", "show", session_id])).code).toBe(0)
  })
})

describe("haft undo", () => {
  test("brings back the exact bytes after write and after edit", async () => {
    const before = "one\r\ntwo\n\u00e9"
    bench.write("a.txt", before)
    await call("write", "file_path=a.txt", "content=other")
    expect((await bench.run(["undo"])).stdout).toContain("restored")
    expect(bench.read("a.txt")).toBe(before)
    await call("edit", "file_path=a.txt", "old_string=two", "new_string=2")
    await bench.run(["undo"])
    expect(bench.read("a.txt")).toBe(before)
  })

  test("takes the newest call first, then the one before, and removes what was created", async () => {
    await call("write", "file_path=a.txt", "content=1")
    await call("write", "file_path=a.txt", "content=2")
    await bench.run(["undo"])
    expect(bench.read("a.txt")).toBe("1")
    expect((await bench.run(["undo"])).stdout).toContain("removed")
    expect(existsSync(join(bench.work, "a.txt"))).toBe(false)
    expect((await bench.run(["undo"])).code).toBe(5)
  })

  test("takes back a call by its id", async () => {
    const { call_id } = await call("write", "file_path=a.txt", "content=1")
    await call("write", "file_path=b.txt", "content=1")
    expect((await bench.run(["undo", call_id])).code).toBe(0)
    expect(existsSync(join(bench.work, "a.txt"))).toBe(false)
    expect(existsSync(join(bench.work, "b.txt"))).toBe(true)
  })

  test("refuses after a change by somebody else, shows what changed, and leaves it", async () => {
    bench.write("a.txt", "one\n")
    const { call_id } = await call("write", "file_path=a.txt", "content=two\n")
    bench.write("a.txt", "three\n")
    const { code, stderr } = await bench.run(["undo"])
    expect(code).toBe(5)
    expect(stderr).toContain("not as the call left it")
    expect(stderr).toContain(`"${call_id}"`)
    expect(stderr).toContain("haft undo CALL")
    expect(bench.read("a.txt")).toBe("three\n")
  })
})
