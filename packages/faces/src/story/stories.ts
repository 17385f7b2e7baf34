import {
  type AskRequest,
  bestEffort,
  type CallView,
  type EnvelopeMetadata,
  type ErrorCode,
  type Example,
  errorMeanings,
  type FaceError,
  type Hunk,
  type Ladder,
  type Question,
  type ToolDefinition,
  type ToolKind,
} from "@haft/contract"
import { sampleData } from "./sample-data.js"

/** The states in which every tool is drawn. */
export const storyStates = [
  "args-streaming",
  "pending",
  "awaiting-approval",
  "running",
  "ok",
  "truncated",
  "error",
  "denied",
  "aborted",
  "replayed",
] as const

/** One of the states of a story. */
export type StoryState = (typeof storyStates)[number]

/** A call of a tool in one state, made of an example that the tool comes with. Nothing ran. */
export interface Story {
  readonly tool: string
  readonly state: StoryState
  readonly call: CallView
}

/** A tool in every state. Pure but for loading the examples. */
export async function storiesOf(definition: ToolDefinition): Promise<readonly Story[]> {
  const { examples } = await definition.examples()
  const world = worldOf(definition, examples)
  return storyStates.map((state) => ({ tool: world.tool, state, call: { ...world.base, ...views[state](world) } }))
}

/** What the stories of one tool are made of. */
interface World {
  readonly tool: string
  readonly title: string
  readonly kind: ToolKind
  readonly input: Readonly<Record<string, unknown>>
  readonly base: Pick<CallView, "id" | "tool" | "arguments" | "startedAt" | "details">
  readonly data: unknown
  readonly text: string
  readonly failure: FaceError
  readonly hunks: readonly Hunk[]
  readonly path: string
}

// Ten in the morning of a day in 2026: the same for everybody who draws a story.
const startedAt = Date.UTC(2026, 0, 15, 10)

function worldOf(definition: ToolDefinition, examples: readonly Example[]): World {
  const { id, title, kind } = definition.manifest
  const good = examples.find(({ fails }) => fails === undefined) ?? examples[0]
  const bad = examples.find(({ fails }) => fails !== undefined)
  const input = (good?.input ?? {}) as Readonly<Record<string, unknown>>
  const data = sampleData(definition.manifest.output, good?.output ?? {}, input)
  const content = bestEffort("data that was made up may not be presentable", () => definition.present(data, input))
  const text = content?.map((part) => (part.type === "text" ? part.text : "")).join("\n") ?? JSON.stringify(data)
  const { path, hunks } = changeOf(good)
  return {
    ...{
      tool: id,
      title,
      kind,
      input,
      data,
      text,
      path,
      hunks,
      failure: failureOf(bad?.fails ?? "unavailable"),
    },
    base: {
      id: `call_${id}`,
      tool: id,
      arguments: input,
      startedAt,
      ...(hunks.length > 0 && { details: { hunks } }),
    },
  }
}

const views: Readonly<Record<StoryState, (world: World) => Partial<CallView> & Pick<CallView, "phase">>> = {
  "args-streaming": ({ input }) => {
    const json = JSON.stringify(input)
    return { phase: "args-streaming", argumentsText: json.slice(0, Math.ceil(json.length * 0.6)), details: undefined }
  },
  pending: () => ({ phase: "pending", details: undefined }),
  "awaiting-approval": (world) => ({
    phase: "awaiting-approval",
    details: undefined,
    ...(Array.isArray(world.input.questions)
      ? { questions: world.input.questions as readonly Question[] }
      : { request: requestOf(world) }),
  }),
  running: ({ kind }) => ({
    phase: "running",
    details: undefined,
    ...(kind === "execute" && { output: liveOutput }),
  }),
  ok: (world) => ok(world),
  truncated: (world) => {
    const path = "sidecar/call.txt"
    const cut = { ...ok(world), metadata: { ...metadata, truncated: true, output_path: path } }
    return { ...cut, model: { ...cut.model, leftOut: { characters: 12_400, path } } }
  },
  error: ({ failure }) => failed("error", failure),
  denied: () => failed("denied", failureOf("denied")),
  aborted: () => failed("aborted", failureOf("cancelled")),
  replayed: (world) => ({ ...ok(world), replayed: true }),
}

const liveOutput = "> test\n> vitest run\n\n\u001b[32m✓\u001b[39m 41 passed\n\u001b[33m… 3 running\u001b[39m\n"

const metadata: EnvelopeMetadata = { duration_ms: 1240, call_id: "call_story", session_id: "ses_story" }

function ok({ data, text }: World) {
  return {
    phase: "ok",
    data,
    metadata,
    endedAt: startedAt + metadata.duration_ms,
    model: { content: [{ type: "text", text }], tokens: Math.ceil(text.length / 4) },
  } as const
}

function failed(phase: "error" | "denied" | "aborted", error: FaceError): Partial<CallView> & Pick<CallView, "phase"> {
  const text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  return {
    phase,
    error,
    details: undefined,
    metadata,
    endedAt: startedAt + metadata.duration_ms,
    model: { content: [{ type: "text", text }], tokens: Math.ceil(text.length / 4) },
  }
}

function failureOf(code: ErrorCode): FaceError {
  return { type: code, message: errorMeanings[code], hint: "Otherwise go on another way" }
}

function requestOf({ tool, title, input, base, path, hunks }: World): AskRequest {
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length
  return {
    ...{ sessionId: metadata.session_id, callId: base.id, tool, title, arguments: input, directory: "/work" },
    ladder: ladderOf(tool),
    offers: ["once", "session", "project", "reject", "edit"],
    proposal: {
      rule: { permission: tool, pattern: "src/**", action: "allow" },
      matches: "src/index.ts",
      differs: "package.json",
    },
    askedBefore: 'a call with path="src/a.ts" was answered "once"; this one has path="src/index.ts"',
    ...(hunks.length > 0 && {
      preview: { files: [{ path, action: "change", added: count("+"), removed: count("-"), hunks }] },
    }),
  }
}

function ladderOf(tool: string): Ladder {
  const rung = (name: Ladder["rungs"][number]["rung"], verdict: "pass" | "ask", reason: string) =>
    ({ rung: name, verdict, reason, ms: 0.2 }) as const
  return {
    verdict: "ask",
    reason: `no rule settles ${tool} of "src/index.ts"`,
    rungs: [
      rung("schema", "pass", "the arguments fit"),
      rung("capability", "pass", "every effect is inside the declared and the granted scope"),
      {
        ...rung("rules", "ask", `no rule settles ${tool} of "src/index.ts"`),
        rule: `${tool}(*)`,
        source: "project haft.jsonc:12",
      },
      rung("watchdog", "pass", "no detector objects"),
    ],
    findings: [{ permission: tool, subject: "src/index.ts", verdict: "ask", beaten: [] }],
  }
}

/** What an example makes of its first file: all lines go, and all lines come. */
function changeOf(example: Example | undefined): { readonly path: string; readonly hunks: readonly Hunk[] } {
  const [path, after] = Object.entries(example?.after ?? {})[0] ?? ["", null]
  const before = example?.files?.[path] ?? ""
  if (typeof after !== "string" || after === before) return { path, hunks: [] }
  const lines = [...signed(before, "-"), ...signed(after, "+")]
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { path, hunks: [{ oldStart: 1, oldLines: count("-"), newStart: 1, newLines: count("+"), lines }] }
}

function signed(text: string, sign: string): readonly string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => sign + line)
}
