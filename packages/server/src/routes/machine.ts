import { type ApiSearch, type ApiTour, locales } from "@haft/contract"
import type { Hono } from "hono"
import { kinds, need } from "../access/body.js"
import { describeSession } from "../session/describe-session.js"
import { type App, bodyOf, json } from "./route.js"

/** What this server works with: workspace, settings, skills, MCP servers, the sandbox; the palette and the tour. */
export function machineRoutes(hono: Hono, { host, sessions }: App): void {
  const { machine } = host
  hono.get("/api/workspace", async (context) => json(context, await host.workspace()))
  hono.get("/api/settings", async (context) => json(context, await machine.settings()))
  hono.get("/api/skills", async (context) => json(context, await machine.skills()))
  hono.get("/api/servers", async (context) => json(context, await machine.servers()))
  hono.post("/api/servers/:name/test", async (context) => {
    const { entry } = await bodyOf(context, { entry: kinds.text })
    const name = context.req.param("name")
    return json(context, await machine.testServer(name, need(entry, "entry"), context.req.raw.signal))
  })
  hono.post("/api/servers/:name/trust", async (context) => {
    const { digest } = await bodyOf(context, { digest: kinds.text })
    await machine.trustServer(context.req.param("name"), need(digest, "digest"))
    return json(context, { trusted: true })
  })
  hono.post("/api/sandbox/probe", async (context) => {
    await bodyOf(context, {})
    return json(context, await machine.probe(context.req.raw.signal))
  })
  hono.post("/api/doctor", async (context) => {
    await bodyOf(context, {})
    return json(context, await machine.doctor(context.req.raw.signal))
  })
  hono.get("/api/search", async (context) => {
    const query = (context.req.query("q") ?? "").slice(0, 500)
    const words = query.trim().toLowerCase()
    const journal = await host.journal()
    const recent = (await journal.sessions({ limit: 100 })).filter(({ metadata }) => metadata.parent === undefined)
    const named = await Promise.all(recent.map((record) => describeSession(record, journal, sessions.find(record.id))))
    const fitting = named.filter(({ id, title = "" }) => `${id} ${title}`.toLowerCase().includes(words)).slice(0, 10)
    return json(context, {
      hits: await machine.search(query, context.req.raw.signal),
      sessions: fitting.map(({ id, title = id, updatedAt }) => ({ id, title, updatedAt })),
    } satisfies ApiSearch)
  })
  hono.post("/api/tour", async (context) => {
    const { language } = await bodyOf(context, { language: kinds.text })
    const spoken = locales.find((locale) => locale === language) ?? "en"
    const { prompt, ...driven } = await host.sessions.tour(spoken)
    const open = await sessions.keep(driven)
    const turnId = host.sessions.newId("turn")
    open.turnsRunning.add(turnId)
    await open.turns!.start(prompt, turnId)
    return json(context, { session: driven.record.id, turnId } satisfies ApiTour, 201)
  })
}
