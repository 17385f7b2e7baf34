import type { ApiRuleScope } from "@haft/contract"
import type { Hono } from "hono"
import { kinds, need } from "../access/body.js"
import { type App, bodyOf, json } from "./route.js"
import { ruleIn } from "./shapes.js"

const isScope = kinds.oneOf<ApiRuleScope>(["user", "answers"])

/** The rules: listed, tried on recorded calls, tested, saved. */
export function ruleRoutes(hono: Hono, { host: { rules } }: App): void {
  hono.get("/api/rules", async (context) => json(context, await rules.list()))
  hono.post("/api/rules/try", async (context) => {
    const { add = [], ...rest } = await bodyOf(context, {
      add: kinds.list(ruleIn),
      remove: kinds.texts,
      scope: isScope,
      calls: kinds.count,
    })
    return json(context, await rules.try({ add, ...rest }))
  })
  hono.post("/api/rules/test", async (context) => {
    await bodyOf(context, {})
    return json(context, await rules.test())
  })
  hono.post("/api/rules", async (context) => {
    const { rule, scope } = await bodyOf(context, { rule: ruleIn, scope: isScope })
    return json(context, await rules.save({ rule: need(rule, "rule"), scope: need(scope, "scope") }), 201)
  })
}
