import {
  type BaseContext,
  bestEffort,
  defineManifest,
  defineTool,
  type OutputLimit,
  type RequirementSet,
  type Servers,
  type ToolDefinition,
  ToolError,
  text,
} from "@haft/contract"
import { inputSchema, type Principal, type Registry } from "@haft/runtime"
import * as z from "zod"
import type { ExtensionManifest, ExtensionTool } from "./manifest.js"
import { WorkerProcess } from "./worker-process.js"

/** An extension that a person enabled, with what they granted. */
export interface EnabledExtension {
  readonly manifest: ExtensionManifest
  /** Where its files are. */
  readonly folder: string
  /** The hosts that a person let it reach, besides those that rules allow or not. */
  readonly hosts: readonly string[]
  /** In development: reads the files again; undefined where nothing changed. */
  readonly reload?: () => ExtensionManifest | undefined
}

/** Makes a call for an extension, judged with it as the one who asks. */
export type CallFor = (
  principal: Principal,
  call: { readonly tool: string; readonly args: unknown; readonly signal: AbortSignal },
) => Promise<unknown>

/** What the extensions of a session are made from. */
export interface ExtensionSessionOptions {
  readonly extensions: readonly EnabledExtension[]
  readonly registry: Registry
  readonly callFor: CallFor
  /** Gets the reason why an extension brings no tools. */
  readonly onProblem: (words: string) => void
}

/** How long a handler may take. */
const handlerTimeoutMs = 120_000
const maxCrashes = 3
const crashWindowMs = 60_000
const maxAttempts = 50

/** The extensions of a session. No code of theirs runs before one of their tools is called. */
export class ExtensionSession {
  private readonly running: readonly RunningExtension[]

  constructor(private readonly options: ExtensionSessionOptions) {
    this.running = options.extensions.map((extension) => new RunningExtension(extension, options.callFor))
  }

  /** Puts the tools of all into the registry, each list in place of the one before. */
  register(): void {
    for (const extension of this.running) {
      extension.onTools = (tools) => this.replace(extension.owner, tools)
      extension.onTools(extension.definitions())
    }
  }

  /** A list that cannot be used leaves the extension without tools, and the session as it is. */
  private replace(owner: string, tools: readonly ToolDefinition[]): void {
    try {
      this.options.registry.replace(owner, tools)
    } catch (error) {
      if (!ToolError.is(error)) throw error
      this.options.onProblem(`The ${owner} brings no tools: ${error.message}`)
    }
  }

  /** The tools go first, so that no call reaches a worker that is about to end. */
  async close(): Promise<void> {
    for (const extension of this.running) extension.onTools([])
    await Promise.all(this.running.map((extension) => extension.close()))
  }
}

type State =
  | { readonly at: "dormant" }
  | { readonly at: "starting"; readonly worker: Promise<WorkerProcess> }
  | { readonly at: "ready"; readonly worker: WorkerProcess }

/** One extension in a session: dormant until its first call, started again after a crash, given up after several. */
class RunningExtension {
  readonly owner: string
  onTools: (tools: readonly ToolDefinition[]) => void = () => undefined
  private manifest: ExtensionManifest
  private state: State = { at: "dormant" }
  private crashes: readonly number[] = []
  private attempts: readonly string[] = []
  private readonly closing = new AbortController()

  constructor(
    private readonly extension: EnabledExtension,
    private readonly callFor: CallFor,
  ) {
    this.manifest = extension.manifest
    this.owner = `extension ${extension.manifest.id}`
  }

  definitions(): readonly ToolDefinition[] {
    return this.manifest.tools.map((tool) =>
      definitionOf(this.manifest, tool, (input, context) => this.call(tool.id, input, context)),
    )
  }

  async close(): Promise<void> {
    this.closing.abort(new ToolError("cancelled", "Cannot use an extension: the session is closing"))
    const { state } = this
    this.state = { at: "dormant" }
    if (state.at === "ready") await state.worker.end()
    if (state.at === "starting") await endStarted(state.worker)
  }

  private async call(tool: string, args: unknown, context: BaseContext & { readonly servers: Servers }) {
    await this.reloadIfChanged()
    const seen = new Set<string>()
    try {
      const worker = await this.workerFor(context)
      const call = { tool, args, timeoutMs: handlerTimeoutMs, signal: context.signal }
      const result = await worker.invoke(call, (name, given) => this.request(name, given, context.signal))
      return { extension: this.manifest.id, text: resultText(result), ...this.tried(seen) }
    } catch (error) {
      const { tried = [] } = this.tried(seen)
      if (!ToolError.is(error) || tried.length === 0) throw error
      // The journal keeps what a failed call tried, as it does for one that gave a result.
      const { hint, fix, details } = error
      throw new ToolError(error.code, error.message, {
        ...(hint !== undefined && { hint }),
        ...(fix !== undefined && { fix }),
        details: { ...(details as object), tried },
      })
    }
  }

  /** What the code tried to reach by itself since the last report. */
  private tried(seen: Set<string>): { readonly tried?: readonly string[] } {
    const tried = this.attempts.filter((what) => !seen.has(what) && seen.add(what))
    this.attempts = []
    return tried.length === 0 ? {} : { tried }
  }

  private async request(tool: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    const { id, calls } = this.manifest
    if (!calls.includes(tool)) {
      this.attempt(`call "${tool.slice(0, 60)}", which its manifest does not name`)
      throw new Error(`The manifest of the extension does not name "${tool}" in its calls`)
    }
    return this.callFor({ name: `extension "${id}"`, granted: this.granted() }, { tool, args, signal })
  }

  /** What it declared, without the hosts that nobody granted. */
  private granted(): RequirementSet {
    const { fs, net } = this.manifest.requires
    const hosts = (net?.hosts ?? []).filter((host) => this.extension.hosts.includes(host))
    return { ...(fs && { fs }), ...(hosts.length > 0 && { net: { hosts } }) }
  }

  private workerFor({ servers }: { readonly servers: Servers }): Promise<WorkerProcess> | WorkerProcess {
    const { state } = this
    if (state.at !== "dormant") return state.worker
    const since = Date.now() - crashWindowMs
    this.crashes = this.crashes.filter((at) => at > since)
    if (this.crashes.length >= maxCrashes)
      throw new ToolError(
        "unavailable",
        `Cannot use the extension "${this.manifest.id}": it ended ${maxCrashes} times within a minute`,
        {
          hint: "Go on without it",
        },
      )
    const { manifest, extension } = this
    const { folder } = extension
    const worker = WorkerProcess.start({
      manifest,
      folder,
      servers,
      signal: this.closing.signal,
      onAttempt: (what) => this.attempt(what),
    })
    this.state = { at: "starting", worker }
    worker.then(
      (started) => {
        if (this.state.at === "starting" && this.state.worker === worker) this.state = { at: "ready", worker: started }
        void started.gone.then(() => this.crashed(started))
      },
      () => this.crashed(undefined),
    )
    return worker
  }

  private crashed(worker: WorkerProcess | undefined): void {
    if (this.closing.signal.aborted || (this.state.at === "ready" && this.state.worker !== worker)) return
    this.crashes = [...this.crashes, Date.now()]
    this.state = { at: "dormant" }
  }

  private attempt(what: string): void {
    if (this.attempts.length < maxAttempts) this.attempts = [...this.attempts, what]
  }

  /** In development: the old tools go, then the old worker, then the new tools come. */
  private async reloadIfChanged(): Promise<void> {
    const manifest = this.extension.reload?.()
    if (manifest === undefined) return
    this.onTools([])
    const { state } = this
    this.state = { at: "dormant" }
    this.crashes = []
    if (state.at !== "dormant") await endStarted(state.worker)
    this.manifest = manifest
    this.onTools(this.definitions())
  }
}

/** An ordinary tool made of what an extension declares: judged, bounded and recorded like any other. */
function definitionOf(
  { id, name }: ExtensionManifest,
  tool: ExtensionTool,
  execute: (input: unknown, context: BaseContext & { readonly servers: Servers }) => Promise<unknown>,
): ToolDefinition {
  const title = `${name}: ${tool.name}`
  const words = { title, loading: `${title}...`, done: title }
  const manifest = defineManifest({
    id: `${id}__${tool.id}`,
    // How people and other systems spell it; rules and models may use either.
    formerIds: [`${id}:${tool.id}`],
    title,
    description: `${tool.description.trim()} (of the extension ${id})`,
    input: inputSchema(tool.parameters),
    output: outputSchema,
    requires: { capabilities: ["servers"] },
    kind: "other",
    tier: "full-access",
    retry: "never",
    limit,
    // Nested calls may wait for a person; the handler itself has its own clock.
    timeoutMs: handlerTimeoutMs + 600_000,
    effects: () => [],
    subject: (input) => ({ kind: "arguments", values: { ...input, extension: id, tool: tool.id } }),
    subjectKind: "arguments",
    judgedLike: "extension",
    inAutoMode: "never",
    foreign: true,
  })
  return defineTool({
    manifest,
    messages: { en: words, "zh-CN": words },
    present: (output) => [text(withTried(output))],
    execute: async () => ({
      execute: (input, context) => execute(input, context as never) as Promise<z.infer<typeof outputSchema>>,
    }),
    examples: async () => ({ examples: [] }),
  })
}

const outputSchema = z.object({
  extension: z.string(),
  text: z.string(),
  /** What its code tried to reach by itself. */
  tried: z.array(z.string()).optional(),
})

const limit: OutputLimit = {
  ...{ unit: "bytes", max: 100_000, past: "sidecar", fields: ["text"], keep: "head-and-tail" },
  text: { maxCharacters: 32_000, marks: [] },
}

function withTried({ text: said, tried = [] }: z.infer<typeof outputSchema>): string {
  if (tried.length === 0) return said
  return `${said}\n[The extension tried on its own to ${tried.slice(0, 5).join(", ")}${tried.length > 5 ? " and more" : ""}; it got nothing]`
}

function resultText(result: unknown): string {
  if (typeof result === "string") return result
  return JSON.stringify(result ?? null, null, 2)
}

async function endStarted(worker: WorkerProcess | Promise<WorkerProcess>): Promise<void> {
  await bestEffort("a worker that did not start needs no end", async () => (await worker).end())
}
