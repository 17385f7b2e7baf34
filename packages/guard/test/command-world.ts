import type { CallPart, Judgement, Located, PlacedRule } from "@haft/contract"
import { analyzeBash, type CommandAnalysis, commandParts } from "../src/index.js"
import { joinPath } from "../src/path.js"
import type { Facts } from "../src/rules/rule-book.js"
import { judgeWith, plainFacts } from "./world.js"

/** A line that was analysed and judged in the world of `world.ts`. */
export interface JudgedLine {
  readonly analysis: CommandAnalysis
  readonly parts: readonly CallPart[]
  readonly judgement: Judgement
}

/** Analyses a line in the workspace and judges it with these rules only. */
export async function judgeLine(
  rules: readonly PlacedRule[],
  line: string,
  { facts = plainFacts }: { readonly facts?: Facts } = {},
): Promise<JudgedLine> {
  const analysis = analyzeBash(line, { directory: "/home/me/app", home: "/home/me", roots: ["/home/me/app"] })
  const parts = await commandParts("bash", analysis, locate)
  return { analysis, parts, judgement: judgeWith(rules, parts, facts) }
}

async function locate(path: string, from: string): Promise<Located> {
  const absolute = joinPath(from, path)
  return { spelled: path, absolute, resolved: absolute, kind: "file" }
}
