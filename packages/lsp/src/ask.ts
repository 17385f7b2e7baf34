import {
  type FileReader,
  type LanguageRequest,
  type LanguageServers,
  type SandboxedCall,
  ToolError,
} from "@haft/contract"
import { unlessAborted } from "@haft/host"
import { askAboutDocument } from "./answer/about-document.js"
import { askAboutWorkspace } from "./answer/about-workspace.js"
import { type Answer, type Asking, judgedPaths } from "./answer/asking.js"
import { positionOf, readDocument } from "./answer/document.js"
import { isProject, rootOf } from "./find/find-server.js"
import { endingOf, type ServerSpec, specOf } from "./find/server-table.js"
import type { LanguageLimits } from "./limits.js"
import type { ServerPool } from "./pool/server-pool.js"
import type { ServerSession } from "./pool/server-session.js"

type Asked = ReturnType<LanguageServers["ask"]>

/** What a question needs besides itself. */
export interface AskOptions {
  readonly pool: ServerPool
  readonly table: readonly ServerSpec[]
  /** The roots of the session, links followed. */
  readonly roots: readonly string[]
  readonly trusted: boolean
  readonly limits: LanguageLimits
  readonly call: SandboxedCall
  readonly files: FileReader
}

/** Answers a question with the server for its file, or with those of the projects in the workspace. */
export async function ask(request: LanguageRequest, options: AskOptions): Asked {
  const isAboutFile = request.path !== undefined
  const targets = isAboutFile ? [await fileTarget(request, options)] : await workspaceTargets(request, options)
  if (!options.trusted) throw notTrusted()
  const [first, ...others] = targets
  if (others.length === 0) return await askOne(first!, request, options)
  const settled = await Promise.allSettled(targets.map((target) => askOne(target, request, options)))
  const answers = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
  // A language without a server takes nothing away from what the others found.
  if (answers.length === 0) throw (settled[0] as PromiseRejectedResult).reason
  return merge(answers)
}

// An installation that runs at the same time would make a server start over and over.
const maxRestarts = 3

async function askOne(target: Target, request: LanguageRequest, options: AskOptions): Asked {
  const { call, files, pool, limits } = options
  const signal = AbortSignal.any([request.signal, call.signal])
  const asking = { request, files, admits: judgedPaths(call, files), limits, signal }
  for (let restarts = 0; restarts <= maxRestarts; restarts += 1) {
    const starting = pool.obtain({ ...target, grant: call.grant })
    const session = await unlessAborted(starting, signal)
    try {
      const answer = await pool.using(session, () => answerWith({ ...asking, session }, target, options))
      if (answer !== "restart") return answer
      await pool.restart(session)
    } catch (error) {
      // A server that fell is started once more; the pool says when that has been enough.
      const fell = session.server.connection.isClosed && (await session.server.gone) !== undefined
      if (!fell || signal.aborted) throw error
    }
  }
  throw new ToolError(
    "unavailable",
    "Cannot ask a language server: installed packages or covered files change all the time; try again when that has ended",
  )
}

function merge(answers: readonly Awaited<Asked>[]): Awaited<Asked> {
  const texts = answers.flatMap(({ text }) => (text === undefined ? [] : [text]))
  const denied = answers.reduce((sum, answer) => sum + (answer.denied ?? 0), 0)
  return {
    items: answers.flatMap(({ items }) => items),
    ...(texts.length > 0 && { text: texts.join("\n") }),
    server: answers.map(({ server }) => server).join(", "),
    fresh: answers.every(({ fresh }) => fresh),
    ...(denied > 0 && { denied }),
  }
}

async function answerWith(asking: Asking, target: Target, options: AskOptions) {
  const { session, request, signal } = asking
  const found = await unlessAborted(
    session.inTurn(() => bringUpToDate(session, target, options)),
    signal,
  )
  if (found === "restart") return found
  const { document, comparable } = found
  const versionNow = () => document && session.server.documents.version(document.path)
  const version = versionNow()
  const given: Answer = document ? await askAboutDocument(document, asking) : await askAboutWorkspace(asking)
  const fresh = comparable && versionNow() === version && !given.stale
  const text = given.text ?? (fresh ? undefined : doubt(request, comparable))
  return {
    // Old problems mislead; an old place is at least shown with the line that is there now.
    items: fresh || request.action !== "diagnostics" ? given.items : [],
    ...(text !== undefined && { text }),
    server: session.server.name,
    fresh,
    ...(given.denied > 0 && { denied: given.denied }),
  }
}

/** Lets the server know the workspace as it is now, with the current text of the file that is asked about. */
async function bringUpToDate(session: ServerSession, { path }: Target, { call, files, limits }: AskOptions) {
  const denies = (denied: string) => call.grant.denies("fs.read", denied)
  const state = await session.catchUp({ asked: path, denies, limits })
  if (state === "restart") return state
  const document = path === undefined ? undefined : await readDocument(files, path)
  if (document) session.sync(document.path, document.text)
  // Without comparison it is not known what else changed in the workspace.
  return { document, comparable: state === "current" }
}

function doubt({ action }: LanguageRequest, comparable: boolean): string {
  const reason = comparable ? "" : "; the workspace is too large to see what else changed"
  return action === "diagnostics" ? `No fresh result${reason}` : `Files may have changed meanwhile${reason}`
}

function notTrusted(): ToolError {
  return new ToolError(
    "not_configured",
    "Cannot start a language server: this folder is not trusted, and servers run programs and settings of the project",
    { hint: { say: "Use {tool:grep} and {tool:read} instead" }, fix: "Trust the folder with: haft trust" },
  )
}

/** Which server a question is for. */
export interface Target {
  readonly spec: ServerSpec
  readonly root: string
  /** The file that is asked about: absolute, links followed. */
  readonly path?: string
}

/** Where targets are looked for. */
export interface TargetOptions {
  readonly table: readonly ServerSpec[]
  readonly roots: readonly string[]
  readonly files: FileReader
}

/** The server for a file. A question that is wrong in itself is refused before a server is started for it. */
async function fileTarget(request: LanguageRequest, { files, table, roots }: TargetOptions): Promise<Target> {
  const path = request.path!
  const spec = specOf(path, table)
  if (!spec) throw unknownLanguage(path, table)
  const document = await readDocument(files, path)
  if (["definition", "references", "hover"].includes(request.action)) positionOf(request, document)
  const root = rootOf(document.path, roots)
  if (root !== undefined) return { spec, root, path: document.path }
  throw new ToolError("denied", `Cannot ask about "${path}": it is outside the workspace; use a path inside it`)
}

/** The servers for a question without a file: those of the languages that the roots hold projects of. */
async function workspaceTargets(
  { action, query }: LanguageRequest,
  { table, roots }: TargetOptions,
): Promise<readonly Target[]> {
  if (action !== "symbols" || !query) {
    const needed = action === "symbols" ? "file_path or query" : "file_path"
    throw new ToolError("invalid_args", `Cannot ask for ${action}: it needs ${needed}`)
  }
  const targets: Target[] = []
  for (const root of roots) {
    for (const spec of table) if (await isProject(root, spec)) targets.push({ spec, root })
  }
  if (targets.length > 0) return targets
  const names = table.flatMap(({ projectFiles }) => projectFiles).join(", ")
  throw new ToolError(
    "unsupported",
    `Cannot look for "${query}" in the whole workspace: its top folder holds none of ${names}`,
    { hint: [{ say: "Give {key:file_path}" }, { say: "Use {tool:grep} instead" }] },
  )
}

function unknownLanguage(path: string, table: readonly ServerSpec[]): ToolError {
  const known = table.map(({ title }) => title).join(", ")
  const ending = endingOf(path) || "files without an ending"
  return new ToolError(
    "unsupported",
    `Cannot ask about "${path}": no language server is known for ${ending}; there are some for ${known}`,
  )
}
