import { type ApiCallResult, ToolError, type ToolResult } from "@haft/contract"
import { type CallRequest, explainCall, runCall, runDialectCall } from "@haft/runtime"
import type { Context, Hono } from "hono"
import { kinds, need } from "../access/body.js"
import { modelView } from "../session/model-view.js"
import type { OpenSession } from "../session/open-sessions.js"
import { type App, bodyOf, json } from "./route.js"

// A file that is written is an argument.
const maxBytes = 16 * 1024 * 1024
// More would only wait for each other.
const maxRunning = 64

/** Calls that a person makes: run, and explained. */
export function callRoutes(hono: Hono, app: App): void {
  hono.post("/api/sessions/:id/calls", async (context) => {
    const { request, callId, detail, dialect } = await callIn(context, app)
    const open = await app.sessions.drive(context.req.param("id"))
    const id = await freshId(callId, open, app)
    const abort = new AbortController()
    open.calls.set(id, abort)
    try {
      // The reader may go away: the call goes on, and its end is in the journal and the events.
      const ended = await run({ ...request, callId: id, signal: abort.signal }, open, dialect)
      if (!detail) return json(context, ended.projection?.value ?? ended.result.envelope)
      return json(context, detailOf(id, ended))
    } finally {
      open.calls.delete(id)
      open.usedAt = Date.now()
    }
  })

  hono.post("/api/sessions/:id/explain", async (context) => {
    const { request, dialect } = await callIn(context, app)
    const { session } = await app.sessions.drive(context.req.param("id"))
    return json(context, await explainCall({ ...request, ...(dialect && { dialect }) }, session, { preview: true }))
  })
}

type Call = Pick<CallRequest, "name" | "arguments"> & Partial<Pick<CallRequest, "callId" | "signal">>
type Spoken = Awaited<ReturnType<App["host"]["tools"]["dialect"]>>

interface Ended {
  readonly result: ToolResult
  readonly projection?: ApiCallResult["projection"]
}

async function callIn(context: Context, { host }: App) {
  const {
    tool,
    args = {},
    callId,
    detail = false,
    dialect,
  } = await bodyOf(
    context,
    { tool: kinds.text, args: kinds.any, callId: kinds.text, detail: kinds.flag, dialect: kinds.text },
    maxBytes,
  )
  const request: Call = { name: need(tool, "tool"), arguments: args }
  return { request, callId, detail, dialect: dialect === undefined ? undefined : await host.tools.dialect(dialect) }
}

/** The id that the caller chose, if it is new: the same call never runs twice. */
async function freshId(callId: string | undefined, open: OpenSession, { host, sessions }: App): Promise<string> {
  const running = sessions.list().reduce((sum, { calls }) => sum + calls.size, 0)
  if (running >= maxRunning) {
    throw new ToolError("rate_limited", `Cannot run another call: ${running} run or wait for an answer`, {
      hint: "Answer or abort one of them",
    })
  }
  if (callId === undefined) return host.sessions.newId("call")
  if (!/^call_[A-Za-z0-9]{8,64}$/.test(callId)) {
    throw new ToolError("invalid_args", "Cannot use this callId: it must be call_ and 8 to 64 letters or digits")
  }
  const isTaken = open.calls.has(callId) || (await (await host.journal()).call(callId))?.callId === callId
  if (!isTaken && !open.calls.has(callId)) return callId
  throw new ToolError("conflict", `Cannot run "${callId}": a call with this id runs or has run`, {
    hint: "See the timeline of the session for what came of it",
  })
}

async function run(call: Call, { session }: OpenSession, dialect: Spoken): Promise<Ended> {
  return dialect ? runDialectCall({ ...call, dialect }, session) : { result: await runCall(call, session) }
}

function detailOf(callId: string, { result, projection }: Ended): ApiCallResult {
  const { envelope, attachments, state } = result
  return {
    ...{ callId, envelope, attachments, model: modelView(result) },
    ...(state !== undefined && { state }),
    ...(projection && { projection }),
  }
}
