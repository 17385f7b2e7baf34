import {
  type ApiRule,
  type ApiRuleSave,
  type ApiRules,
  type ApiRuleTests,
  type ApiRuleTried,
  type ApiRuleTry,
  type CallRecord,
  type PlacedRule,
  type Rule,
  ToolError,
} from "@haft/contract"
import { compileRules, describeSource, formatRule } from "@haft/guard"
import { type CallSession, explainCall } from "@haft/runtime"
import type { RulesHost } from "@haft/server"
import { shortPath } from "../../config/places.js"
import { variablesFor } from "../../config/variables.js"
import { keepRule } from "../rule/add.js"
import { heldRules, strengthOf } from "../rule/list.js"
import { scopeFile } from "../rule/scope-file.js"
import { testSamples } from "../rule/test.js"
import type { Setup } from "../setup.js"
import type { ServeWorld } from "./world.js"

/** The rules of the configuration: listed, tried, tested and saved. `sessions` are those that are open. */
export function rulesHost(world: ServeWorld, sessions: () => readonly CallSession[]): RulesHost {
  return {
    list: async () => listRules(await world.current(), await world.rulesNow()),
    try: (draft) => tryRules(world, draft),
    test: async () => testAll(await world.current()),
    save: (request) => saveRule(world, request, sessions()),
  }
}

function listRules(setup: Setup, rules: readonly PlacedRule[]): ApiRules {
  const held = heldRules(setup, rules).map((rule) => apiRule(rule, setup))
  const ignored = setup.configuration.ignoredRules.map(({ rule, reason }) => ({
    ...apiRule(rule, setup),
    ignored: reason,
  }))
  const scopes = (["user", "answers"] as const).map((scope) => ({
    scope,
    file: shortPath(scopeFile(scope, setup).path, setup.places.userHome),
  }))
  return { rules: [...held, ...ignored], scopes }
}

function apiRule(rule: PlacedRule, setup: Setup): ApiRule {
  const { permission, pattern, action, why, match, no_match, source, final, secret } = rule
  return {
    ...{ permission, action, source, text: formatRule(rule), where: describeSource(source) },
    ...strengthOf(rule, setup),
    ...(pattern !== undefined && { pattern }),
    ...(why !== undefined && { why }),
    ...(match && { match }),
    ...(no_match && { no_match }),
    ...(final && { final: true as const }),
    ...(secret && { secret: true as const }),
  }
}

const usualCalls = 200
const mostCalls = 2000

/** Judges recorded calls with the rules that hold and with the draft. */
async function tryRules(
  world: ServeWorld,
  { add, remove = [], scope = "user", calls = usualCalls }: ApiRuleTry,
): Promise<ApiRuleTried> {
  const now = await world.rulesNow()
  const placed = add.map((rule) => draftRule(rule, scope))
  compileRules(placed, variablesFor(world.setup))
  const kept = now.filter((rule) => !remove.includes(`${rule.action} ${formatRule(rule)}`))
  const recorded = await newestCalls(world, Math.min(calls, mostCalls))
  const [before, after] = await Promise.all([
    world.openLook({ rules: now }),
    world.openLook({ rules: [...kept, ...placed] }),
  ])
  try {
    return await compare(recorded, before.session, after.session)
  } finally {
    await Promise.all([before.close(), after.close()])
  }
}

function draftRule(rule: Rule, scope: ApiRuleSave["scope"]): PlacedRule {
  return {
    ...rule,
    source: { scope: scope === "user" ? "user" : "local", file: "draft" },
    ...(scope === "answers" && { answer: true }),
  }
}

async function compare(calls: readonly CallRecord[], before: CallSession, after: CallSession): Promise<ApiRuleTried> {
  const counts: Record<string, number> = {}
  const changes: ApiRuleTried["changes"][number][] = []
  let unjudged = 0
  for (const { sessionId: session, callId, tool, arguments: input, rawArguments } of calls) {
    const call = { name: tool, arguments: input ?? rawArguments }
    try {
      const was = (await explainCall(call, before)).ladder
      const is = (await explainCall(call, after)).ladder
      if (was.verdict === is.verdict) continue
      const change = `${was.verdict}->${is.verdict}`
      counts[change] = (counts[change] ?? 0) + 1
      changes.push({
        session,
        callId,
        tool,
        arguments: call.arguments,
        before: was.verdict,
        after: is.verdict,
        reason: is.reason,
      })
    } catch (error) {
      if (!ToolError.is(error)) throw error
      unjudged += 1
    }
  }
  return { tried: calls.length, unjudged, counts, changes }
}

/** The newest calls of sessions in the same folders, the newest first. */
async function newestCalls({ haft, setup }: ServeWorld, count: number): Promise<readonly CallRecord[]> {
  const store = await haft.store()
  const found: CallRecord[] = []
  for (const { id, roots } of await store.sessions({ limit: 200 })) {
    if (found.length >= count) break
    if (!roots.every((root) => setup.roots.includes(root))) continue
    found.push(...(await store.calls(id)).toReversed())
  }
  return found.slice(0, count)
}

function testAll(setup: Setup): ApiRuleTests {
  const tests = testSamples(setup)
  const failed = tests.filter(({ passed }) => !passed)
  return {
    passed: tests.length - failed.length,
    failed: failed.map(({ rule, sample, expected }) => ({
      ...{ text: formatRule(rule), where: describeSource(rule.source), sample },
      expected: expected === "match" ? ("match" as const) : ("no_match" as const),
    })),
  }
}

/** Writes a rule into a file of the user; sessions that are open take it at once. */
async function saveRule(world: ServeWorld, { rule, scope }: ApiRuleSave, sessions: readonly CallSession[]) {
  const setup = await world.current()
  const { file, line, added } = keepRule(setup, rule, scope)
  const shown = shortPath(file.path, setup.places.userHome)
  const placed = (await world.current()).configuration.rules.find(
    ({ source }) => source.line === line && source.file === shown,
  )
  if (added && placed) for (const session of [...sessions, await world.look()]) await session.addWrittenRule(placed)
  return { file: shown, line, added }
}
