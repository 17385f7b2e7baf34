import type { Hono } from "hono"
import { type App, json } from "./route.js"

/** The catalogue. */
export function toolRoutes(hono: Hono, { host }: App): void {
  hono.get("/api/tools", async (context) => json(context, await host.tools.list()))
  hono.get("/api/tools/:id", async (context) => json(context, await host.tools.detail(context.req.param("id"))))
}
