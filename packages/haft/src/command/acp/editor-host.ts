import { join } from "node:path"
import type { EditorHost, EditorSession, ListedSession, OpenRequest, SessionPage } from "@haft/acp"
import { type CallRecord, isInside, type Mode, ToolError, type TurnInput } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { readKept } from "@haft/host"
import { sayEnglish } from "@haft/language"
import type { Store } from "@haft/store"
import { realPath } from "../../config/check-places.js"
import type { OpenAgent } from "../../library/lazy-agent.js"
import { configuredServers, editorSource } from "../../mcp/configured-servers.js"
import { sandboxChecks } from "../doctor/sandbox-checks.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { type Limits, modelNamed } from "../open-agent.js"
import { type OpenedHaft, openHaft } from "../open-haft.js"
import { removeSession } from "../session/remove.js"
import { withStore } from "../session/with-store.js"
import { checkWideRoot, setUp } from "../setup.js"
import { undoWords } from "../undo.js"
import { packageVersion } from "../version.js"

/** The sessions of an editor, each with roots, configuration and rules of its own folders. */
export function createEditorHost(invocation: Invocation, io: Io, limits: Limits): EditorHost {
  return {
    version: packageVersion(),
    open: (request) => openSession(invocation, io, { ...request, limits }),
    sessions: (page) => withStore(invocation, io, (store) => listed(store, page)),
    fork: async (id) => {
      const { haft } = await openHaft(invocation, io, { touchesFiles: false })
      try {
        return (await haft.forkSession(id)).id
      } finally {
        await haft.close()
      }
    },
    remove: (id) =>
      withStore(invocation, io, async (store, { places }) => {
        const session = await store.session(id)
        // A program says the whole id: a part of one must not delete anything.
        if (session?.id !== id) throw new ToolError("not_found", `Cannot delete session "${id}": there is none`)
        await removeSession(store, session, places)
      }),
  }
}

async function openSession(
  invocation: Invocation,
  io: Io,
  { limits, ...request }: OpenRequest & { readonly limits: Limits },
): Promise<EditorSession> {
  const { folders, onEvent, buffers, mcpServers, session, person } = request
  const place = { ...io, cwd: folders[0] }
  const asked = await inFolders(invocation, place, folders)
  const opened = await openHaft(asked, place, {
    touchesFiles: true,
    forAgent: true,
    onEvent,
    ...(buffers && { editor: { buffers, mcpServers } }),
  })
  const { haft, setup } = opened
  try {
    const { values } = setup.configuration
    const model = modelNamed(values.get("model"), io)
    const baseUrl = values.get("baseUrl")
    const dialect = invocation.text("dialect")
    const { agent } = await haft.drive({
      ...(session !== undefined && { id: session }),
      agent: {
        ...{ model, limits, person },
        ...(baseUrl !== undefined && { baseUrl }),
        ...(dialect !== undefined && dialect !== "haft" && { dialect }),
      },
    })
    const models = await usedModels(await haft.store(), model)
    const allows = (mode: Mode) => mayUse(asked, place, mode)
    return new OpenEditorSession(opened, agent, { model, models, notes: serverNotes(opened, mcpServers), allows, io })
  } catch (error) {
    await haft.close()
    throw error
  }
}

/** The command line as if it had been given in these folders. A wide one must be named by the person who started us. */
async function inFolders(invocation: Invocation, io: Io, folders: readonly string[]): Promise<Invocation> {
  const named = invocation.list("root").map((root) => realPath(root))
  const real = folders.map((folder) => realPath(folder))
  const inside = { ...invocation, list: (name: string) => (name === "root" ? real : invocation.list(name)) }
  for (const folder of real) {
    if (named.some((root) => isInside(folder, root))) continue
    if (named.length > 0) {
      throw new ToolError(
        "denied",
        `Cannot work in "${folder}": it is outside of the folders that haft acp was given`,
        {
          fix: `Start it with --root ${folder}, or without --root`,
        },
      )
    }
    const setup = await setUp({ ...inside, quiet: true }, io)
    await checkWideRoot({ ...setup, roots: [folder], rootsNamed: false })
  }
  return inside
}

/** Whether the configuration lets a session have this mode: an administrator may allow less. */
async function mayUse(invocation: Invocation, io: Io, mode: Mode): Promise<boolean> {
  const text = (name: string) => (name === "mode" ? mode : invocation.text(name))
  const { configuration } = await setUp({ ...invocation, text, quiet: true }, io)
  return configuration.values.get("mode") === mode
}

const maxModels = 20

/** The current model, and those that were used before. */
async function usedModels(store: Store, current: string): Promise<readonly string[]> {
  const sessions = await store.sessions({ limit: 200 })
  const used = sessions.flatMap(({ metadata: { model } }) =>
    typeof model === "string" && !model.startsWith("script:") && model.includes(":") ? [model] : [],
  )
  return [...new Set([current, ...used])].slice(0, maxModels)
}

/** The editor's servers that bring no tools, with the reason and what makes them. */
function serverNotes({ setup }: OpenedHaft, editor: Readonly<Record<string, unknown>>): readonly string[] {
  return configuredServers({ ...setup, editor }).flatMap(({ name, source, state, reason }) => {
    if (source !== editorSource || state === "trusted") return []
    const why = reason ?? "you do not trust it yet"
    return [
      `The MCP server "${visibleLine(name)}" of the editor brings no tools: ${visibleLine(why)}. ${howToTrust(name)}`,
    ]
  })
}

function howToTrust(name: string): string {
  return `Add it with haft mcp add ${visibleLine(name)} and look at it with haft mcp trust ${visibleLine(name)}`
}

// Older ones are found with haft session list.
const maxListed = 1000

async function listed(store: Store, { folder, from, limit }: SessionPage): Promise<readonly ListedSession[]> {
  const found: ListedSession[] = []
  const filter = { limit: maxListed, ...(folder !== undefined && { root: realPath(folder) }) }
  for (const { id, roots, directory, updatedAt, metadata } of await store.sessions(filter)) {
    if (metadata.parent !== undefined) continue
    const [first] = await store.records(id, { limit: 1 })
    if (first?.kind !== "start") continue
    const { text } = first.input as unknown as TurnInput
    found.push({ id, roots, directory, title: visibleLine(text.trim().split("\n")[0] ?? "", 80), updatedAt })
    if (found.length >= from + limit) break
  }
  return found.slice(from)
}

interface Choices {
  readonly model: string
  readonly models: readonly string[]
  readonly notes: readonly string[]
  readonly allows: (mode: Mode) => Promise<boolean>
  readonly io: Io
}

/** The session of the agent that a call has started. */
function childOf({ tool, envelope }: CallRecord): readonly string[] {
  const data = tool === "task" && envelope?.type === "output" ? (envelope.data as { session_id?: unknown }) : {}
  return typeof data?.session_id === "string" ? [data.session_id] : []
}

/** One open session with the Haft that it alone has. */
class OpenEditorSession implements EditorSession {
  readonly agent: EditorSession["agent"]
  readonly roots: readonly string[]
  readonly models: readonly string[]
  readonly notes: readonly string[]
  model: string
  private readonly opened: OpenedHaft
  private readonly open: OpenAgent
  private readonly allows: Choices["allows"]
  private readonly io: Io

  constructor(opened: OpenedHaft, open: OpenAgent, { model, models, notes, allows, io }: Choices) {
    this.io = io
    this.opened = opened
    this.open = open
    this.agent = open.agent
    this.roots = opened.setup.roots
    this.model = model
    this.models = models
    this.notes = notes
    this.allows = allows
  }

  async history() {
    const store = await this.opened.haft.store()
    const { id } = this.agent
    return { turns: await store.records(id), calls: await store.calls(id) }
  }

  async allCalls(): Promise<readonly CallRecord[]> {
    const store = await this.opened.haft.store()
    const calls: CallRecord[] = []
    const wanted = [this.agent.id]
    for (const id of wanted) {
      const own = await store.calls(id)
      calls.push(...own)
      // A set, because a session may have been asked to go on several times.
      for (const child of new Set(own.flatMap(childOf))) if (!wanted.includes(child)) wanted.push(child)
    }
    return calls.sort((one, other) => one.startedAt - other.startedAt)
  }

  async sandbox(): Promise<readonly string[]> {
    const { places, roots, configuration } = this.opened.setup
    const { env } = this.io
    const checks = await sandboxChecks({ env, places, roots }, configuration.values.get("sandbox"))
    return checks.map(({ name, state, found, fix }) => `${state} ${name}: ${found}${fix ? `. ${fix}` : ""}`)
  }

  async call(callId: string) {
    return (await this.opened.haft.store()).call(callId)
  }

  readonly formerContent = (hash: string) => readKept(join(this.opened.setup.places.home, "history"), hash)

  abortAll(reason: string): Promise<boolean> {
    return this.open.abortAll(reason)
  }

  async useModel(model: string): Promise<void> {
    if (!this.models.includes(model)) {
      throw new ToolError("invalid_args", `Cannot use model "${model}": it is not one that was offered`)
    }
    await this.open.useModel(model)
    this.model = model
  }

  async useMode(mode: Mode): Promise<void> {
    if (!(await this.allows(mode))) {
      throw new ToolError("denied", `Cannot use mode "${mode}": the configuration does not allow it`, {
        fix: "See why with: haft config explain mode",
      })
    }
    this.agent.session.setMode(mode)
  }

  async undo(callId?: string): Promise<string> {
    return undoWords(await this.opened.haft.undo(callId), sayEnglish)
  }

  async close(): Promise<void> {
    await this.open.close()
    await this.opened.haft.close()
  }
}
