import type { AnyManifest, Judgement, Mode } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { applyMode } from "./judge.js"

const manifest = (id: string, requires: AnyManifest["requires"] = {}) => ({ id, requires }) as AnyManifest
const judgement = (verdict: Judgement["verdict"], more: Partial<Judgement> = {}): Judgement => ({
  verdict,
  reason: "",
  written: false,
  final: false,
  findings: [],
  ...more,
})
const modes: readonly Mode[] = ["ask", "plan", "accept-edits", "auto"]
const input = { watchdog: "pass", tool: manifest("write"), contained: true } as const

describe("applyMode", () => {
  test.each(modes)("mode %s beats no deny and keeps an allow", (mode) => {
    expect(applyMode({ ...input, mode, judgement: judgement("deny") })).toMatchObject({
      verdict: "deny",
      converted: false,
    })
    expect(applyMode({ ...input, mode, judgement: judgement("allow") })).toMatchObject({
      verdict: "allow",
      converted: false,
    })
  })

  test.each(modes)("[C2-71] in mode %s an ask of the watchdog stays, also after an allow of the rules", (mode) => {
    for (const verdict of ["allow", "ask"] as const) {
      expect(applyMode({ ...input, mode, watchdog: "ask", judgement: judgement(verdict) }).verdict).toBe("ask")
    }
    expect(applyMode({ ...input, mode, watchdog: "ask", judgement: judgement("deny") }).verdict).toBe("deny")
  })

  test("only auto answers what no rule settles", () => {
    const verdicts = modes.map((mode) => applyMode({ ...input, mode, judgement: judgement("ask") }).verdict)
    expect(verdicts).toEqual(["ask", "ask", "ask", "allow"])
    expect(applyMode({ ...input, mode: "auto", judgement: judgement("ask") }).converted).toBe(true)
  })

  test.each([
    ["a final ask", { judgement: judgement("ask", { written: true, final: true }) }],
    ["an ask that a rule says", { judgement: judgement("ask", { written: true }) }],
    ["what is not contained", { contained: false }],
    ["a tool that says so", { tool: { ...manifest("post"), inAutoMode: "never" as const } }],
    ["the clipboard", { tool: manifest("clipboard_read", { capabilities: ["clipboard"] }) }],
    ["configuration", { tool: manifest("config", { capabilities: ["config"] }) }],
    ["tools of an MCP server", { tool: manifest("mcp__server__write", { capabilities: ["servers"] }) }],
  ])("auto never answers for %s", (_name, more) => {
    const outcome = applyMode({ ...input, mode: "auto", judgement: judgement("ask"), ...more })
    expect(outcome).toMatchObject({ verdict: "ask", converted: false })
  })
})
