import type { PlacedRule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { entryHash } from "../trust/entry-hash.js"
import { combineLayers, ruleHash } from "./combine-layers.js"
import type { Layer } from "./layer.js"

const layer = (scope: Layer["scope"], values: Record<string, unknown>, more: Partial<Layer> = {}): Layer => ({
  scope,
  name: scope,
  entries: Object.entries(values).map(([key, value], index) => ({ key, value, line: index + 1 })),
  rules: [],
  ...more,
})
const trusting = (scope: "project" | "local", values: Record<string, unknown>) =>
  layer(scope, values, { trusted: new Set(Object.entries(values).map(([key, value]) => entryHash(scope, key, value))) })
const rule = (action: PlacedRule["action"], scope: PlacedRule["source"]["scope"]): PlacedRule => ({
  permission: "fs.write",
  pattern: "src/**",
  action,
  source: { scope },
})

describe("precedence", () => {
  test.each<[string, readonly Layer[], string, unknown, string]>([
    ["nothing set: the default", [], "mode", "ask", "defaults"],
    ["the user's file", [layer("user", { mode: "auto" })], "mode", "auto", "user:1"],
    [
      "a trusted project over the user",
      [layer("user", { mode: "auto" }), trusting("project", { mode: "accept-edits" })],
      "mode",
      "accept-edits",
      "project:1",
    ],
    [
      "local over project",
      [trusting("project", { model: "a:b" }), trusting("local", { model: "c:d" })],
      "model",
      "c:d",
      "local:1",
    ],
    [
      "an untrusted project may tighten",
      [layer("user", { mode: "auto" }), layer("project", { mode: "plan" })],
      "mode",
      "plan",
      "project:1",
    ],
    ["an untrusted project may not widen", [layer("project", { mode: "auto" })], "mode", "ask", "defaults"],
    ["an untrusted project may not choose the model", [layer("project", { model: "a:b" })], "model", undefined, ""],
    [
      "the environment may tighten",
      [layer("user", { mode: "auto" }), layer("environment", { mode: "ask" })],
      "mode",
      "ask",
      "environment:1",
    ],
    ["the environment may not widen", [layer("environment", { mode: "auto" })], "mode", "ask", "defaults"],
    [
      "a flag over the environment",
      [layer("environment", { mode: "plan" }), layer("flag", { mode: "auto" })],
      "mode",
      "auto",
      "flag:1",
    ],
    [
      "managed tightens even a flag",
      [layer("flag", { mode: "auto" }), layer("managed", { mode: "ask" })],
      "mode",
      "ask",
      "managed:1",
    ],
    [
      "managed never widens",
      [layer("flag", { mode: "plan" }), layer("managed", { mode: "auto" })],
      "mode",
      "plan",
      "flag:1",
    ],
    ["smaller limits from anyone", [layer("project", { "limits.grep": 50 })], "limits.grep", 50, "project:1"],
    ["larger limits only with trust", [layer("project", { "limits.grep": 500 })], "limits.grep", undefined, ""],
    ["larger limits of the user", [layer("user", { "limits.grep": 500 })], "limits.grep", 500, "user:1"],
    [
      "the sandbox is never loosened by a project, trusted or not",
      [trusting("project", { sandbox: "off" })],
      "sandbox",
      "required",
      "defaults",
    ],
    [
      "a project may ask for more sandbox",
      [layer("user", { sandbox: "off" }), layer("project", { sandbox: "required" })],
      "sandbox",
      "required",
      "project:1",
    ],
    [
      "unconfined commands are the user's alone",
      [trusting("local", { unconfined: ["git push"] })],
      "unconfined",
      undefined,
      "",
    ],
    ["the journal's place is the user's alone", [trusting("project", { store: "./x.db" })], "store", undefined, ""],
    ["language from anyone", [layer("project", { language: "zh-CN" })], "language", "zh-CN", "project:1"],
    ["fewer toolsets from anyone", [layer("project", { toolset: "locked" })], "toolset", "locked", "project:1"],
    [
      "more toolsets only with trust",
      [layer("project", { toolset: "locked,launcher" })],
      "toolset",
      "locked,code",
      "defaults",
    ],
  ])("%s", (_name, layers, key, value, winner) => {
    const { values, sayings } = combineLayers(layers, (name) => (name === "limits.grep" ? 200 : { mode: "ask" }[name]))
    expect(values.find(key)).toEqual(value)
    const source = sayings.findLast((saying) => saying.key === key && saying.taken)?.source
    expect(source ?? (value === undefined ? "" : "defaults")).toBe(winner)
  })

  test("lists add up in the order of their sources", () => {
    const { values } = combineLayers([layer("user", { env: ["A"] }), trusting("project", { env: ["B", "A"] })])
    expect(values.get("env")).toEqual(["A", "B"])
  })

  test("what is ignored keeps its reason", () => {
    const { sayings } = combineLayers([layer("project", { mode: "auto" }, { inactive: "the folder is not trusted" })])
    expect(sayings).toEqual([
      {
        key: "mode",
        value: "auto",
        source: "project:1",
        layer: "project",
        taken: false,
        reason: "the folder is not trusted",
      },
    ])
  })
})

describe("rules of files", () => {
  const combined = (scope: Layer["scope"], action: PlacedRule["action"], trusted?: ReadonlySet<string>) =>
    combineLayers([
      layer(
        scope,
        {},
        { rules: [rule(action, scope === "answers" ? "local" : (scope as "user"))], ...(trusted ? { trusted } : {}) },
      ),
    ])

  test.each(["deny", "ask"] as const)("%s of an untrusted folder is taken", (action) => {
    expect(combined("project", action).rules).toHaveLength(1)
  })

  test("allow of an untrusted folder is shown and ignored", () => {
    const { rules, ignoredRules } = combined("project", "allow")
    expect(rules).toHaveLength(0)
    expect(ignoredRules[0]?.reason).toBe("the folder is not trusted")
  })

  test("allow of a trusted folder counts while it is the rule that was seen", () => {
    const hash = ruleHash(layer("project", {}), rule("allow", "project"))
    expect(combined("project", "allow", new Set([hash])).rules).toHaveLength(1)
    expect(combined("project", "allow", new Set(["other"])).rules).toHaveLength(0)
  })

  test("an ask of an untrusted folder cannot soften a deny: it speaks with less authority than any", () => {
    expect(combined("project", "ask").rules[0]?.authority).toBe(-1)
    expect(combined("project", "deny").rules[0]?.authority).toBeUndefined()
  })

  test("managed allow is ignored, the user's own and saved answers are taken", () => {
    expect(combined("managed", "allow").rules).toHaveLength(0)
    expect(combined("managed", "deny").rules).toHaveLength(1)
    expect(combined("user", "allow").rules).toHaveLength(1)
    expect(combined("answers", "allow").rules).toHaveLength(1)
  })
})
