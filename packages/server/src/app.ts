import { type ErrorCode, ToolError } from "@haft/contract"
import { bringsToken } from "@haft/runtime"
import { type Context, Hono } from "hono"
import { WrongMediaType } from "./access/body.js"
import { checkOrigin } from "./access/gate.js"
import { closedPolicy, everyHeader } from "./access/headers.js"
import { askRoutes } from "./routes/asks.js"
import { callRoutes } from "./routes/calls.js"
import { eventRoutes } from "./routes/events.js"
import { machineRoutes } from "./routes/machine.js"
import { recordRoutes } from "./routes/records.js"
import { type App, json } from "./routes/route.js"
import { ruleRoutes } from "./routes/rules.js"
import { sessionRoutes } from "./routes/sessions.js"
import { toolRoutes } from "./routes/tools.js"

/** The whole server as a function of requests. The order of the checks is a safety property. */
export function createApp(app: App): Hono {
  const hono = new Hono()
  hono.use(async (context, next) => {
    checkOrigin(
      { method: context.req.method, path: context.req.path, header: (name) => context.req.header(name) },
      app.port(),
    )
    await next()
    protect(context.res)
  })
  hono.get("/api/health", (context) => json(context, { ok: true, name: "haft", version: app.version }))
  hono.use("/api/*", async (context, next) => {
    if (!bringsToken(context.req.header("authorization"), app.token)) return unauthorized(context)
    await next()
  })
  const routes = [
    toolRoutes,
    sessionRoutes,
    callRoutes,
    recordRoutes,
    eventRoutes,
    askRoutes,
    ruleRoutes,
    machineRoutes,
  ]
  for (const add of routes) add(hono, app)
  hono.all("/api/*", (context) => {
    const { method, path } = context.req
    throw new ToolError("not_found", `Cannot ${method} "${path.slice(0, 200)}": there is nothing under this address`)
  })
  hono.get("*", (context) => app.page.answer(context.req.path, context.req.header("accept-encoding")))
  hono.all("*", () => {
    throw new ToolError("not_found", "Cannot use this method here")
  })
  hono.onError((error, context) => failure(error, context))
  return hono
}

const statuses: Readonly<Record<ErrorCode, number>> = {
  invalid_args: 400,
  not_found: 404,
  conflict: 409,
  denied: 403,
  too_large: 413,
  timeout: 504,
  cancelled: 409,
  unavailable: 503,
  unsupported: 409,
  rate_limited: 429,
  not_configured: 409,
  backend: 502,
  internal: 500,
}

function failure(error: unknown, context: Context): Response {
  if (error instanceof WrongMediaType) return problem(context, 415, { code: "invalid_args", message: error.message })
  if (!ToolError.is(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return problem(context, 500, { code: "internal", message: `Cannot finish: ${message}` })
  }
  const { code, message, details } = error
  const hint = error.fix ?? error.hint
  return problem(context, statuses[code], {
    ...{ code, message },
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
  })
}

function unauthorized(context: Context): Response {
  const hint = "Open the address that haft serve printed, or send Authorization: Bearer TOKEN"
  return problem(context, 401, {
    code: "denied",
    message: "Cannot take this request: the token is missing or wrong",
    hint,
  })
}

function problem(context: Context, status: number, error: object): Response {
  const response = json(context, { error }, status)
  protect(response)
  return response
}

/** What is no page may do nothing at all. */
function protect({ headers }: Response): void {
  for (const [name, value] of Object.entries(everyHeader)) headers.set(name, value)
  if (!headers.has("content-security-policy")) headers.set("Content-Security-Policy", closedPolicy)
}
