import type { CallPart, Hint, Judgement, Ladder, Person, ToolDefinition } from "@haft/contract"
import type { CommandAnalysis, JudgedOutsideWrite } from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import type { HeldFacts } from "../../session/facts-of.js"
import type { HookVerdict } from "../call-hooks.js"
import type { Principal } from "../call-request.js"
import type { CallFacts } from "./call-facts.js"

/** A judged call: the decision, and what the grant is built from. */
export interface Evaluated {
  readonly ladder: Ladder
  readonly parts: readonly CallPart[]
  /** What its command does, for a tool that runs one. */
  readonly analysis: CommandAnalysis | undefined
  readonly judgement: Judgement | undefined
  /** The texts of scripts that the verdict was made from. */
  readonly facts: HeldFacts
  /** True for a command that the user lists as one that runs outside the sandbox. */
  readonly outside?: boolean
  /** Files outside the workspace that its command changes; empty where no sandbox holds it. */
  readonly writesOutside?: readonly JudgedOutsideWrite[]
  /** What the model can do instead, where the step that refused or asks knows it. */
  readonly hint?: Hint | undefined
  /** What the user can do about a refusal that no rule could lift. */
  readonly fix?: string | undefined
  /** Refused because it could not work. */
  readonly unsupported?: true
  /** A hook gave other arguments: these are not judged further. */
  readonly changed?: HookVerdict
}

/** What is judged. */
export interface EvaluateRequest {
  readonly tool: ToolDefinition
  readonly input: Readonly<Record<string, unknown>>
  readonly session: CallSession
  /** The facts of the call, kept over its evaluations. */
  readonly world: CallFacts
  /** Who would be asked. */
  readonly person: Person | "headless"
  /** True when this very call is already answered. */
  readonly approved: boolean
  /** The answer in words, where somebody was asked; without it the caller answered in advance. */
  readonly answered?: string | undefined
  /** Hash of the canonical arguments. */
  readonly argumentsHash: string
  /** True when a model asked for the call: it is watched for loops and for what it carries from one place to another. */
  readonly fromModel: boolean
  /** Who asks for the call, where it is not the session itself. */
  readonly principal?: Principal | undefined
  /** Asks the hooks about these arguments; absent where none looks at calls of the tool. */
  readonly hooks?:
    | ((input: Readonly<Record<string, unknown>>, argumentsHash: string) => Promise<HookVerdict>)
    | undefined
}
