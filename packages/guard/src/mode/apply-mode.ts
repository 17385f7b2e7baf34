import type { AnyManifest, Judgement, Mode } from "@haft/contract"

/** What a mode decides by. */
export interface ModeInput {
  readonly mode: Mode
  readonly judgement: Judgement
  readonly watchdog: "pass" | "ask"
  readonly tool: AnyManifest
  /** True when every effect of the call stays inside the roots, a full sandbox and the granted hosts. */
  readonly contained: boolean
}

/** What remains of a verdict in a mode. `converted` says that an ask became allow. */
export interface ModeOutcome {
  readonly verdict: "allow" | "deny" | "ask"
  readonly reason: string
  readonly converted: boolean
}

/** Applies a mode after rules and watchdog: only `auto` converts, and only asks that nobody wrote. */
export function applyMode({ mode, judgement, watchdog, tool, contained }: ModeInput): ModeOutcome {
  if (judgement.verdict === "deny") return kept("deny", "no mode beats a deny")
  if (watchdog === "ask") return kept("ask", "an ask of the watchdog is final")
  if (judgement.verdict === "allow") return kept("allow", "the rules allow it")
  if (mode !== "auto") return kept("ask", `mode ${mode} asks for what no rule settles`)
  if (judgement.final) return kept("ask", "only a person may answer a final ask")
  if (judgement.written) return kept("ask", "a rule says to ask")
  if (!isConvertible(tool)) return kept("ask", `mode auto never answers for ${tool.id}`)
  if (!contained) return kept("ask", "mode auto answers only for what stays inside the roots and the sandbox")
  return { verdict: "allow", reason: "mode auto: no rule objects and every effect is contained", converted: true }
}

function kept(verdict: ModeOutcome["verdict"], reason: string): ModeOutcome {
  return { verdict, reason, converted: false }
}

/** Tools that reach what no sandbox can hold need a rule of their own. */
function isConvertible({ requires, inAutoMode }: AnyManifest): boolean {
  if (inAutoMode === "never") return false
  const capabilities: readonly string[] = requires.capabilities ?? []
  return !["clipboard", "config", "servers"].some((name) => capabilities.includes(name))
}
