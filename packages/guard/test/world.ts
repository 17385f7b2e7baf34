import {
  type Action,
  type CallPart,
  type FileEffectKind,
  type Located,
  type PlacedRule,
  type RuleScope,
  ToolError,
} from "@haft/contract"
import { compileRules, defaultRules, judge, parseRule, type Variables } from "../src/index.js"
import { splitWords } from "../src/rules/pattern/command-pattern.js"
import type { Facts } from "../src/rules/rule-book.js"

/** A session on paper: one workspace in a home directory. */
export const variables: Variables = {
  workspace: ["/home/me/app"],
  adHoc: [],
  userData: undefined,
  home: "/home/me",
  haftHome: "/home/me/.local/share/haft",
  haftConfig: "/home/me/.config/haft",
  scratch: ["/home/me/.local/share/haft/sessions/s1/scratch"],
  sidecars: ["/home/me/.local/share/haft/sessions/s1/sidecars"],
  tmp: ["/home/me/.local/share/haft/sessions/s1/tmp"],
}

/** Nothing is tracked and no command runs text from a file. */
export const plainFacts: Facts = { isTracked: () => false }

/** A path of the workspace, or an absolute one, that is no link. */
export function at(path: string, resolved?: string): Located {
  const absolute = path.startsWith("/") ? path : path === "." ? "/home/me/app" : `/home/me/app/${path}`
  return { spelled: path, absolute, resolved: resolved ?? absolute, kind: "file" }
}

/** A call of a file tool with one effect. */
export function fileCall(tool: string, kind: FileEffectKind, located: Located | string): readonly CallPart[] {
  const place = typeof located === "string" ? at(located) : located
  return [
    {
      label: tool,
      heads: [{ permission: tool, subject: { kind: "path", at: place } }],
      effects: [{ kind, at: place }],
      opaque: false,
    },
  ]
}

/** A call of `read`. */
export function read(located: Located | string): readonly CallPart[] {
  return fileCall("read", "fs.read", located)
}

/** A call of `write`. */
export function write(located: Located | string): readonly CallPart[] {
  return fileCall("write", "fs.write", located)
}

/** One simple command of a shell line as the analysis of commands describes it. */
export function command(line: string, more: Partial<CallPart> = {}): CallPart {
  const argv = splitWords(line).map((word) => word.text)
  const subject = { kind: "command", argv } as const
  return {
    label: line,
    heads: [
      { permission: "bash", subject },
      { permission: "shell.run", subject },
    ],
    effects: [],
    opaque: false,
    ...more,
  }
}

/** A rule as flags write it, placed in a scope: `rule("user", "deny", "fs.read(src/**)")`. */
export function rule(scope: RuleScope, action: Action, text: string): PlacedRule {
  return { ...parseRule(text, action), source: { scope } }
}

/** The defaults with further rules. */
export function defaultsAnd(...rules: readonly PlacedRule[]): readonly PlacedRule[] {
  return [...defaultRules(), ...rules]
}

/** Judges a call with these rules only. */
export function judgeWith(rules: readonly PlacedRule[], parts: readonly CallPart[], facts: Facts = plainFacts) {
  return judge(compileRules(rules, variables), parts, facts)
}

/** The error that an action ends with. */
export function errorOf(action: () => unknown): ToolError {
  try {
    action()
  } catch (error) {
    if (ToolError.is(error)) return error
    throw error
  }
  throw new Error("expected a ToolError, but nothing was thrown")
}
