import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createHaft, type Haft, type HaftOptions, type Session } from "haft"
import { makeLog } from "./data/make-log.js"
import { makeTree } from "./data/make-tree.js"

/** A session with the host it belongs to. */
export interface OpenedSession {
  readonly haft: Haft
  readonly session: Session
  close(): Promise<void>
}

/** The ground on which cases run: data that is made once a run, and sessions on it. */
export interface World {
  /** An empty folder. */
  folder(name: string): Promise<string>
  /** A folder with the file `app.log`: 100 MB, more than a million numbered lines. */
  log(): Promise<string>
  /** A folder with 150,000 small files. */
  tree(): Promise<string>
  /** A headless session on one folder in mode accept-edits; the journal is off unless asked for. */
  open(root: string, options?: Partial<HaftOptions>): Promise<OpenedSession>
}

/** Makes a world in a temporary folder; `remove` takes everything away again. */
export async function createWorld(): Promise<{ readonly world: World; remove(): Promise<void> }> {
  const base = await mkdtemp(join(tmpdir(), "haft-bench-"))
  const folder = (name: string) => mkdtemp(join(base, `${name}-`))
  const log = once(async () => makeLog(await folder("log")))
  const tree = once(async () => makeTree(await folder("tree")))
  return {
    world: { folder, log, tree, open: async (root, options) => openSession(root, await folder("home"), options) },
    remove: () => rm(base, { recursive: true, force: true }),
  }
}

async function openSession(root: string, home: string, options: Partial<HaftOptions> = {}): Promise<OpenedSession> {
  const haft = await createHaft({
    roots: [root],
    workspace: { directory: root },
    home,
    person: "headless",
    mode: "accept-edits",
    toolset: "all",
    ...options,
    storage: { configHome: `${home}-config`, journal: false, ...options.storage },
  })
  const session = await haft.openSession()
  return { haft, session, close: () => haft.close() }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
