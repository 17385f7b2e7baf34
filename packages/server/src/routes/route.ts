import type { Context } from "hono"
import { fields, readBody } from "../access/body.js"
import type { ServerHost } from "../host.js"
import type { Page } from "../page.js"
import type { Inbox } from "../session/inbox.js"
import type { OpenSessions } from "../session/open-sessions.js"

/** What the routes work with. */
export interface App {
  readonly host: ServerHost
  readonly sessions: OpenSessions
  readonly inbox: Inbox
  readonly page: Page
  readonly token: string
  readonly version: string
  /** Known when the server listens. */
  port(): number
  /** Aborted when the server stops. */
  readonly stopped: AbortSignal
}

/** A JSON answer; none is kept by a cache. */
export function json(context: Context, value: unknown, status = 200): Response {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" }
  return context.body(JSON.stringify(value), status as 200, headers)
}

const usualBytes = 1024 * 1024

/** The fields of the body of a request. */
export async function bodyOf<const Shape extends Parameters<typeof fields>[1]>(
  context: Context,
  shape: Shape,
  maxBytes = usualBytes,
): Promise<ReturnType<typeof fields<Shape>>> {
  return fields(await readBody(context.req.raw, maxBytes), shape)
}
