import type { PlacedRule } from "@haft/contract"
import { sql } from "kysely"
import { expect, test } from "vitest"
import { createId } from "../src/create-id.js"
import { sampleCall, sampleSession } from "./samples.js"
import type { World } from "./world.js"

/** Promises about sessions, kept on every database. */
export function sessionSuite(world: World): void {
  test("a session is found again as it was created, by its id and by a beginning that no other has", async () => {
    const session = sampleSession({ metadata: { title: "first", folder: "abc" }, roots: ["/work/a", "/work/b"] })
    await world.store.createSession(session)
    expect(await world.store.session(session.id)).toEqual(session)
    expect(await world.store.session(session.id.slice(0, -3))).toEqual(session)
    expect(await world.store.session("ses_nothing")).toBeUndefined()
    expect(await world.store.session("")).toBeUndefined()
    expect(await world.store.session("a\0b")).toBeUndefined()
    await expect(world.store.createSession(session)).rejects.toMatchObject({ code: "conflict" })
  })

  test("a beginning that several sessions share is refused", async () => {
    await world.newSession()
    await world.newSession()
    await expect(world.store.session("ses_")).rejects.toMatchObject({ code: "invalid_args" })
  })

  test("[C2-166] lists hide archived sessions by default and can include them; last used first, calls counted", async () => {
    const root = `/list/${createId("call")}`
    const old = await world.newSession({ workspaceRoot: root, updatedAt: 1000 })
    const archived = await world.newSession({ workspaceRoot: root, archivedAt: 5, updatedAt: 2000 })
    const used = await world.newSession({ workspaceRoot: root, updatedAt: 500 })
    for (const session of [old, archived, used]) await world.store.settle(sampleCall(session))
    const ids = async (options: object) =>
      (await world.store.sessions({ root, ...options })).map((session) => session.id)
    expect(await ids({})).toEqual([used, old])
    expect(await ids({ archived: true })).toEqual([used, archived, old])
    expect(await ids({ limit: 1 })).toEqual([used])
    expect((await world.store.sessions({ root }))[0]?.calls).toBe(1)
  })

  test("a session that was opened and never used is in no list, and is found by its id", async () => {
    const root = `/list/${createId("call")}`
    const opened = await world.newSession({ workspaceRoot: root })
    expect(await world.store.sessions({ root, archived: true })).toEqual([])
    expect(await world.store.sessions({ id: opened })).toMatchObject([{ id: opened, calls: 0 }])
    await world.store.settle(sampleCall(opened))
    expect(await world.store.sessions({ root })).toMatchObject([{ id: opened, calls: 1 }])
  })

  test("[C2-56] [C2-60] [C2-61] rules of session scope alone are stored on the session's row, under the normative names", async () => {
    const sessionId = await world.newSession()
    const rules: PlacedRule[] = [
      { permission: "write", pattern: "src/**", action: "allow", source: { scope: "session" } },
      { permission: "fs.read", action: "deny", source: { scope: "project", file: "haft.jsonc", line: 3 } },
      { permission: "*", action: "ask", source: { scope: "session" }, why: "careful" },
    ]
    await world.store.savePermissions(sessionId, rules)
    const row = await world.driver.db
      .selectFrom("chat_sessions")
      .select("permissions_json")
      .where("id", "=", sessionId)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.permissions_json)).toEqual([
      { permission: "write", pattern: "src/**", action: "allow", source: "session" },
      { permission: "*", pattern: "*", action: "ask", source: "session", why: "careful" },
    ])
    expect((await world.store.session(sessionId))?.permissions).toEqual([rules[0], { ...rules[2], pattern: "*" }])
  })

  test("removing a session removes its messages and parts", async () => {
    const sessionId = await world.newSessionWithCalls(2)
    await world.store.removeSession(sessionId)
    expect(await world.store.session(sessionId)).toBeUndefined()
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from chat_parts where session_id = ${sessionId})
           + (select count(*) from chat_messages where session_id = ${sessionId}) as count`.execute(world.driver.db)
    expect(Number(rows[0]?.count)).toBe(0)
    await expect(world.store.removeSession(sessionId)).rejects.toMatchObject({ code: "not_found" })
    await expect(world.store.settle(sampleCall(sessionId))).rejects.toMatchObject({ code: "not_found" })
  })

  test("sessions expire when nobody used, kept or owns them", async () => {
    const ids = async () => (await world.store.expired(24 * 3600 * 1000)).map((session) => session.id)
    const forgotten = await world.newSession({ updatedAt: 1 })
    const archived = await world.newSession({ updatedAt: 1, archivedAt: 2 })
    const owned = await world.newSession({ updatedAt: 1 })
    const lease = await world.store.claim(owned)
    await world.driver.db.updateTable("chat_sessions").set({ updated_at: 1 }).where("id", "=", owned).execute()
    const expired = await ids()
    expect(expired).toContain(forgotten)
    expect(expired).not.toContain(archived)
    expect(expired).not.toContain(owned)
    await lease.release()
  })
}
