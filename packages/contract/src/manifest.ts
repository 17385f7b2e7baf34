import type * as z from "zod"
import type { Context } from "./context.js"
import type { NamedEffect, Subject } from "./effect.js"
import type { Content } from "./envelope.js"
import type { Hint } from "./error.js"
import type { ToolFaces } from "./face.js"
import type { PreviewCall } from "./preview.js"
import type { RequirementSet } from "./requirement.js"
import type { ToolsetName } from "./toolset-name.js"

/** What a client shows for a call: icon, diff view, terminal pane. */
export const toolKinds = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other"] as const
/** One of the kinds that the Agent Client Protocol knows. */
export type ToolKind = (typeof toolKinds)[number]

/** How far a tool can reach, smallest first. */
export const toolTiers = ["read-only", "workspace-write", "full-access"] as const
/** One of the three reaches of a tool. */
export type ToolTier = (typeof toolTiers)[number]

/**
 * How much output a tool may give. Past `max`, `sidecar` keeps the head and writes the whole to a file;
 * `paged` says that the tool itself returns a page and the place to go on.
 */
export type OutputLimit =
  | { readonly unit: "entries"; readonly max: number; readonly past: "sidecar"; readonly field: string }
  | {
      readonly unit: "bytes"
      readonly max: number
      readonly past: "sidecar"
      readonly fields: readonly string[]
      readonly keep: "head" | "head-and-tail"
      readonly text?: TextLimit
    }
  | { readonly unit: "bytes"; readonly max: number; readonly past: "paged" }

/**
 * How long the first text for the model may be: past that it keeps head and tail, and all of it is in a file, also where
 * the data is whole.
 */
export interface TextLimit {
  readonly maxCharacters: number
  /** Lines that hold for what follows them; the last one that is left out is repeated before the tail. */
  readonly marks: readonly string[]
}

/** Whether a call whose end is unknown may be made again: `safe`, or `never` for tools that must not run twice. */
export type RetryClass = "safe" | "never"

/** The subject of a call as the tool's rules see it, before paths are resolved. */
export type NamedSubject =
  | { readonly kind: "path"; readonly path: string }
  | Exclude<Subject, { readonly kind: "path" }>

/** A command as a call names it. */
export type NamedCommand =
  | { readonly kind: "bash"; readonly text: string }
  | { readonly kind: "argv"; readonly argv: readonly string[]; readonly directory?: string | undefined }
  | { readonly kind: "powershell"; readonly text: string }
  /** Code that no analysis looks into, for instance of an interpreter. */
  | { readonly kind: "opaque"; readonly label: string }

/** What a search for tools asked for and found. */
export interface FoundTools {
  readonly query: string
  readonly ids: readonly string[]
}

/** Everything about a tool that can be known without running it. */
export interface Manifest<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Requires extends RequirementSet = RequirementSet,
  Id extends string = string,
> {
  /** Permanent: it is in journals. */
  readonly id: Id
  /** Ids that this tool had before; they resolve and replay, and are not offered to models. */
  readonly formerIds?: readonly string[]
  readonly title: string
  /** What the model reads: what the tool does, does not do, and when to use it. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly requires: Requires
  readonly kind: ToolKind
  readonly tier: ToolTier
  readonly limit: OutputLimit
  readonly retry: RetryClass
  /** The longest that a call may take. */
  readonly timeoutMs: number
  /** The effects that a call with these arguments names. Pure. */
  readonly effects: (input: z.infer<Input>) => readonly NamedEffect[]
  /** What a rule on this tool's id compares its pattern with; by default the first path, else the arguments. */
  readonly subject?: (input: z.infer<Input>) => NamedSubject
  /** The command that a call would start, for tools that start one: it is analysed and judged part by part. Pure. */
  readonly command?: (input: z.infer<Input>) => NamedCommand
  /** Id of the tool whose rules hold for this one too: for a tool that does the same under another shape. */
  readonly judgedLike?: string
  /** True where an allow of `judgedLike` settles nothing, and only its denies and asks hold: a rule must name the tool itself. */
  readonly judgedLikeStrictly?: true
  /** The toolset that offers it; without one only `all` has it. */
  readonly toolset?: ToolsetName
  /** The rules that hold for it before anybody wrote one. */
  readonly defaults?: readonly DefaultRule[]
  /** What patterns of rules on this tool are compared with, where `subject` gives something else than a path. */
  readonly subjectKind?: Subject["kind"]
  /** Never, where only a rule or a person may let a call through: mode auto then asks. */
  readonly inAutoMode?: "never"
  /** True for a tool that a skill, a server or an extension brings: of many such tools a model gets those that it looks for. */
  readonly foreign?: true
  /** True where it looks at the other tools, so that they must be there. */
  readonly looksAtTools?: boolean
  /** What a search for tools asked for and found, by ids: a session that goes on offers it again. Pure. */
  readonly finds?: (input: z.infer<Input>, output: z.infer<Output>) => FoundTools
  /** True where what a call starts goes on after the call, and ends with the session. */
  readonly outlivesCall?: boolean
  /** True for tools that are called again and again with the same arguments while they wait. */
  readonly polls?: boolean
  /** Arguments that a person at a terminal may write without their key, in this order: `haft grep TODO src`. */
  readonly operands?: readonly (keyof z.infer<Input> & string)[]
  /** By a key that models bring from elsewhere and that this tool does not take: how to say it here, as a step. */
  readonly habits?: Readonly<Record<string, Hint>>
}

/** A rule on a tool that comes with the tool. */
export interface DefaultRule {
  readonly action: "allow" | "ask"
  /** Absent for every call. */
  readonly patterns?: readonly string[]
  readonly why?: string
  /** True where only a person may answer. */
  readonly final?: true
}

/** A manifest of any tool. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tools holds manifests of every input type, and functions of them are contravariant.
export type AnyManifest = Manifest<any, any, any, string>

/** A manifest as it is written: what most tools have in common may be left out. */
export type ManifestDraft<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Requires extends RequirementSet,
  Id extends string,
> = Omit<Manifest<Input, Output, Requires, Id>, Defaulted> &
  Partial<Pick<Manifest<Input, Output, Requires, Id>, Defaulted>>

type Defaulted = "kind" | "tier" | "retry" | "timeoutMs" | "limit" | "effects"

/** Checks the shape of a manifest, keeps its literal types and fills in what was left out. */
export function defineManifest<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Requires extends RequirementSet,
  const Id extends string,
>(draft: ManifestDraft<Input, Output, Requires, Id>): Manifest<Input, Output, Requires, Id> {
  const tier = draft.tier ?? tierOf(draft.requires)
  return {
    kind: "other",
    retry: tier === "read-only" ? "safe" : "never",
    timeoutMs: 120_000,
    limit: longText,
    effects: noEffects,
    ...draft,
    tier,
  }
}

/** The smallest reach that covers what is required. */
function tierOf({ fs, net, shell, capabilities }: RequirementSet): ToolTier {
  if (net ?? shell ?? capabilities) return "full-access"
  return fs?.write ? "workspace-write" : "read-only"
}

// The data stays whole; of its words a model gets as much as of a command.
const longText: OutputLimit = {
  unit: "bytes",
  max: 200_000,
  past: "sidecar",
  fields: [],
  keep: "head",
  text: { maxCharacters: 32_000, marks: [] },
}

const noEffects = (): readonly NamedEffect[] => []

/** The arguments of a tool as a caller writes them: what has a default may be left out. */
export type RawInputOf<M extends AnyManifest> = z.input<M["input"]>
/** The validated arguments of a tool. */
export type InputOf<M extends AnyManifest> = z.infer<M["input"]>
/** The data that a tool returns. */
export type OutputOf<M extends AnyManifest> = z.infer<M["output"]>

/** The work of a tool: arguments and exactly the ports that its manifest requires. */
export type Execute<M extends AnyManifest> = (
  input: InputOf<M>,
  context: Context<M["requires"]>,
) => Promise<z.input<M["output"]>>

/** Words a tool's output for the model. Pure; the result is never empty. */
export type Present<M extends AnyManifest> = (output: OutputOf<M>, input: InputOf<M>) => readonly Content[]

/** The words of a tool for people, in one language. */
export interface ToolWords {
  readonly title: string
  readonly loading: string
  readonly done: string
  /** What the tool does. Where it is absent, people read the description that is written for models. */
  readonly summary?: string
}

/** The words of a tool for people, in every language that Haft speaks. */
export interface ToolMessages {
  readonly en: ToolWords
  readonly "zh-CN": ToolWords
}

/** A named call in a small world: run by tests, drawn by the gallery, printed by the documentation. */
export interface Example<M extends AnyManifest = AnyManifest> {
  readonly name: string
  /** Files before the call, by path relative to the workspace. */
  readonly files?: Readonly<Record<string, string>>
  readonly input: z.input<M["input"]>
  /** Fields of `data` that the call must return; absent when it must fail. */
  readonly output?: Partial<OutputOf<M>>
  /** Code of the failure that the call must end with. */
  readonly fails?: import("./error.js").ErrorCode
  /** Files after the call; null for a file that must be gone. */
  readonly after?: Readonly<Record<string, string | null>>
}

/** A tool: its manifest, its words, and the lazily loaded rest. */
export interface ToolDefinition<M extends AnyManifest = AnyManifest> {
  readonly manifest: M
  readonly messages: ToolMessages
  readonly present: Present<M>
  readonly execute: () => Promise<{ readonly execute: Execute<M> }>
  readonly examples: () => Promise<{ readonly examples: readonly Example<M>[] }>
  /** How a person who is asked is shown what a call would do; without it they see the arguments and the effects. */
  readonly preview?: () => Promise<{ readonly preview: PreviewCall }>
  /** How people see its calls, where the default faces do not do. Loaded by pages only. */
  readonly faces?: () => Promise<{ readonly faces: ToolFaces }>
}

/** Puts the parts of a tool together, each checked against the manifest's types. */
export function defineTool<M extends AnyManifest>(tool: ToolDefinition<M>): ToolDefinition<M> {
  return tool
}
