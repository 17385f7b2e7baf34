import { type ApiChain, type ApiSessionMade, type ApiUndoResult, ToolError } from "@haft/contract"
import type { Hono } from "hono"
import { kinds, need } from "../access/body.js"
import { journalEvents } from "../events/journal-events.js"
import type { ServedJournal } from "../host.js"
import { sessionNamed } from "../session/describe-session.js"
import { fileAt, filesAt } from "../session/files-at-moment.js"
import { readPlace, recordedCallOf, timelineOf } from "../session/timeline.js"
import { type App, bodyOf, json } from "./route.js"

// An export of a long session; it is read as a whole.
const maxImportBytes = 64 * 1024 * 1024

/** What the journal has of sessions, and what people do with it. */
export function recordRoutes(hono: Hono, app: App): void {
  readingRoutes(hono, app)
  changingRoutes(hono, app)
}

function readingRoutes(hono: Hono, { host, sessions }: App): void {
  hono.get("/api/sessions/:id/timeline", async (context) => {
    const journal = await host.journal()
    const record = await sessionNamed(context.req.param("id"), journal)
    const after = readPlace(record.id, context.req.query("from"))
    return json(context, await timelineOf(record, { journal, sessions, after }))
  })

  hono.get("/api/sessions/:id/calls/:call", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    return json(context, await recordedCallOf(id, context.req.param("call"), { journal, tools: host.tools }))
  })

  hono.get("/api/sessions/:id/chain", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    const report = await journal.verify(id)
    return json(context, (report.ok ? { ok: true } : { ok: false, message: report.message }) satisfies ApiChain)
  })

  hono.get("/api/sessions/:id/replay", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    const events = []
    for await (const { event } of journalEvents(id, journal)) events.push(event)
    return json(
      context,
      events.toSorted((one, other) => one.at - other.at),
    )
  })

  hono.get("/api/sessions/:id/files", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    return json(context, filesAt(await journal.calls(id), context.req.query("at")))
  })

  hono.get("/api/sessions/:id/file", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    const path = need(context.req.query("path"), "path")
    const file = await fileAt(await journal.calls(id), { callId: context.req.query("at"), path, host: host.sessions })
    return json(context, file)
  })

  hono.get("/api/sessions/:id/export", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    return new Response(linesOf(journal.exportLines(id)), {
      headers: {
        "Content-Type": "application/x-ndjson",
        "Content-Disposition": `attachment; filename="${id.replace(/[^\w-]/g, "_")}.haft.jsonl"`,
        "Cache-Control": "no-store",
      },
    })
  })
}

function changingRoutes(hono: Hono, { host }: App): void {
  hono.post("/api/sessions/import", async (context) => {
    const { jsonl } = await bodyOf(context, { jsonl: kinds.text }, maxImportBytes)
    const journal = await host.journal()
    const id = await journal.importLines(need(jsonl, "jsonl").split("\n"))
    const problem = await importProblem(id, journal)
    if (problem === undefined) return json(context, { id } satisfies ApiSessionMade, 201)
    await journal.removeSession(id)
    throw new ToolError("conflict", `Cannot import this session: ${problem}`, {
      hint: "Ask for the export again; nothing of it was kept",
    })
  })

  hono.post("/api/sessions/:id/fork", async (context) => {
    const { callId, turnId } = await bodyOf(context, { callId: kinds.text, turnId: kinds.text })
    const { id } = await sessionNamed(context.req.param("id"), await host.journal())
    return json(context, { id: await host.sessions.fork(id, callId ?? turnId) } satisfies ApiSessionMade, 201)
  })

  hono.post("/api/sessions/:id/undo", async (context) => {
    const { callId } = await bodyOf(context, { callId: kinds.text })
    const journal = await host.journal()
    const { id, roots, metadata } = await sessionNamed(context.req.param("id"), journal)
    // A file could name any effects.
    if (metadata.imported === true) throw new ToolError("unsupported", "Cannot undo in a session that was imported")
    const call = callId ?? (await lastChange(journal, id))
    const isHere = (await journal.calls(id)).some((each) => each.callId === call)
    if (!isHere) throw new ToolError("not_found", `Cannot undo "${call.slice(0, 100)}": the session has no such call`)
    return json(context, (await host.sessions.undo(call, roots)) satisfies ApiUndoResult)
  })
}

/** Why an imported session is not kept. */
async function importProblem(id: string, journal: ServedJournal): Promise<string | undefined> {
  // It becomes a part of addresses and cursors.
  if (!/^[\w.:-]{1,128}$/.test(id)) return "its id has other characters than letters, digits and . : _ -"
  const report = await journal.verify(id)
  return report.ok ? undefined : `its record ${report.seq} was changed (${report.message})`
}

/** The newest call of a session that changed files and was not undone. */
async function lastChange(journal: ServedJournal, id: string): Promise<string> {
  for (const { callId, effects } of (await journal.calls(id)).toReversed()) {
    const changed = effects.some(({ kind }) => kind === "fs.write" || kind === "fs.delete")
    if (changed && (await journal.undoneAt(callId)) === undefined) return callId
  }
  throw new ToolError("not_found", "Cannot undo: no call of this session changed a file that is not undone yet")
}

function linesOf(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = lines[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(`${value.trimEnd()}\n`))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
