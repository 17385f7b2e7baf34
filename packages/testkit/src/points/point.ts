import type { Content, Envelope, Face, ToolDefinition, ToolFaces } from "@haft/contract"
import type { Runs } from "./runs.js"

/** A package of tools, as its files and its modules are. */
export interface ToolPackage {
  readonly tools: readonly ToolDefinition[]
  /** The paragraph that tells a model which of the tools is for what. */
  readonly prompt?: string
  /** Its own faces by the id of the tool; the defaults draw the others. */
  readonly faces: Readonly<Record<string, ToolFaces>>
  /** The sources behind `./execute`, by path. */
  readonly sources: Readonly<Record<string, string>>
  /** The name of the folder, where it is to be the id of a tool. */
  readonly folder?: string
  /** The keys of its exports map; undefined for tools that are no package. */
  readonly exports?: readonly string[]
}

/** What the points need of the world. */
export interface PointOptions {
  /** `createHaft`: tools run in real sessions, on real files. */
  readonly createHaft: (options: {
    readonly roots: readonly string[]
    readonly home: string
    readonly tools: readonly ToolDefinition[]
    readonly storage: { readonly configHome: string; readonly journal: false }
  }) => Promise<OpenedHaft>
  /** Draws a face as markup, with React; without it no face is drawn. */
  readonly draw?: (face: Face<never>, props: object) => string
}

/** A Haft as far as the points use it. */
export interface OpenedHaft {
  openSession(): Promise<{
    result(name: string, input: unknown, options: { signal?: AbortSignal; answer: "once" }): Promise<Ended>
  }>
  close(): Promise<void>
}

/** How a call ended. */
export interface Ended {
  readonly envelope: Envelope
  readonly content: readonly Content[]
}

/** What became of one point of a checklist. */
export interface PointResult {
  readonly list: "specification" | "authoring"
  readonly point: string
  readonly result: "ok" | "failed" | "skipped"
  /** What is wrong, one sentence each; why it was skipped. */
  readonly problems: readonly string[]
}

/** What a check works with. */
export interface World {
  readonly runs: Runs
  readonly draw: PointOptions["draw"]
}

/** Gives what is wrong, one sentence each. */
export type Check = (subject: ToolPackage, world: World) => readonly string[] | Promise<readonly string[]>

/** The answer of a check that needs React where there is none. */
export const cannotDraw = ["React is not installed beside the package: npm install --save-dev react react-dom"]

/** Problems with the id of the tool in front. */
export function named({ manifest: { id } }: ToolDefinition, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${id}: ${problem}`)
}

/** Checks every tool of a package. */
export function perTool(
  tools: readonly ToolDefinition[],
  check: (tool: ToolDefinition) => readonly string[],
): readonly string[] {
  if (tools.length === 0) return ["the package has no tools"]
  return tools.flatMap((tool) => named(tool, check(tool)))
}
