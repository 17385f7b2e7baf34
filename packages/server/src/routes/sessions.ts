import type { ApiAbortResult, ApiMessageResult, ApiSessionOpened } from "@haft/contract"
import { ToolError } from "@haft/contract"
import type { Hono } from "hono"
import { kinds, need } from "../access/body.js"
import type { Turns } from "../host.js"
import { describeSession, sessionNamed } from "../session/describe-session.js"
import type { OpenSession } from "../session/open-sessions.js"
import { type App, bodyOf, json } from "./route.js"
import { isMode, ruleIn } from "./shapes.js"

const maxListed = 500

/** Sessions, messages to their agents, and what stops them. */
export function sessionRoutes(hono: Hono, { host, sessions }: App): void {
  hono.get("/api/sessions", async (context) => {
    const journal = await host.journal()
    const records = await journal.sessions({ limit: maxListed })
    return json(
      context,
      await Promise.all(records.map((record) => describeSession(record, journal, sessions.find(record.id)))),
    )
  })

  hono.post("/api/sessions", async (context) => {
    const request = await bodyOf(context, {
      roots: kinds.texts,
      toolset: kinds.text,
      rules: kinds.list(ruleIn),
      mode: isMode,
    })
    const { record, toolset } = await sessions.create(request)
    return json(context, { id: record.id, roots: record.roots, toolset } satisfies ApiSessionOpened, 201)
  })

  hono.get("/api/sessions/:id", async (context) => {
    const journal = await host.journal()
    const record = await sessionNamed(context.req.param("id"), journal)
    return json(context, await describeSession(record, journal, sessions.find(record.id)))
  })

  hono.post("/api/sessions/:id/messages", async (context) => {
    const { text, turnId = host.sessions.newId("turn") } = await bodyOf(context, {
      text: kinds.text,
      turnId: kinds.text,
    })
    const open = await sessions.drive(context.req.param("id"))
    if (!open.turns) throw await noModel(host)
    await startTurn(open.turns, { turnId, text: need(text, "text"), running: open.turnsRunning })
    return json(context, { turnId } satisfies ApiMessageResult, 202)
  })

  hono.post("/api/sessions/:id/abort", async (context) => {
    const {
      turnId,
      callId,
      reason = "a person stopped it",
    } = await bodyOf(context, {
      turnId: kinds.text,
      callId: kinds.text,
      reason: kinds.text,
    })
    const record = await sessionNamed(context.req.param("id"), await host.journal())
    const open = sessions.find(record.id)
    if (!open) return json(context, { aborted: false } satisfies ApiAbortResult)
    return json(context, { aborted: await stopWork(open, { turnId, callId, reason }) } satisfies ApiAbortResult)
  })
}

async function startTurn(
  turns: Turns,
  { turnId, text, running }: { turnId: string; text: string; running: Set<string> },
): Promise<void> {
  if (!/^turn_[A-Za-z0-9]{8,64}$/.test(turnId)) {
    throw new ToolError("invalid_args", "Cannot use this turnId: it must be turn_ and 8 to 64 letters or digits")
  }
  running.add(turnId)
  try {
    await turns.start(text, turnId)
  } catch (error) {
    running.delete(turnId)
    throw error
  }
}

/** Stops one turn or one call, or all where none is named; false where nothing ran. */
async function stopWork(
  { calls, turns, turnsRunning }: OpenSession,
  { turnId, callId, reason }: { turnId: string | undefined; callId: string | undefined; reason: string },
): Promise<boolean> {
  const isAll = turnId === undefined && callId === undefined
  const running = [...calls].filter(([id]) => isAll || id === callId)
  for (const [, abort] of running) abort.abort(new ToolError("cancelled", reason))
  const named = [...turnsRunning].filter((id) => isAll || id === turnId)
  const stopped = await Promise.all(named.map((turn) => turns?.abort(turn, reason) ?? false))
  return running.length > 0 || stopped.includes(true)
}

async function noModel(host: App["host"]): Promise<ToolError> {
  const { chat } = await host.workspace()
  const { reason, hint } = chat.available ? { reason: "this session has no model", hint: "Open a new one" } : chat
  return new ToolError("not_configured", `Cannot send a message: ${reason}`, { hint })
}
