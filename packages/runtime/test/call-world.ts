import { hash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import {
  type Action,
  type CallRecord,
  type CallScope,
  type Located,
  type Mode,
  type Person,
  type PlacedRule,
  type RuleScope,
  type SessionEvent,
  type SessionPorts,
  tool,
} from "@haft/contract"
import { type Detector, parseRule } from "@haft/guard"
import { onTestFinished } from "vitest"
import * as z from "zod"
import { CallFacts } from "../src/call/ladder/call-facts.js"
import type { EvaluateRequest } from "../src/call/ladder/evaluated.js"
import { createRegistry } from "../src/registry/create-registry.js"
import { CallSession } from "../src/session/call-session.js"

/** A tool that writes one file of the workspace. */
export const save = tool({
  id: "save",
  description: "Writes a file.",
  input: z.strictObject({ path: z.string(), text: z.string() }),
  output: z.object({ path: z.string() }),
  writes: ({ path }) => [path],
  execute: async ({ path, text }, { files }) => {
    await files.write(path, new TextEncoder().encode(text), {} as never)
    return { path }
  },
})

/** What a test chooses of a session; the rest is plain. */
export interface WorldOptions {
  readonly rules?: readonly PlacedRule[]
  readonly person?: Person | "headless"
  readonly mode?: Mode
  readonly detectors?: readonly Detector[]
  readonly failingJournal?: true
}

export function rule(scope: RuleScope, action: Action, text: string): PlacedRule {
  return { ...parseRule(text, action), source: { scope } }
}

/** A session over a real temporary folder. */
export function callWorld(options: WorldOptions = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-call-")))
  const workspace = join(base, "workspace")
  mkdirSync(workspace)
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const written: { at: "begin" | "settle"; record: CallRecord }[] = []
  const saved: PlacedRule[][] = []
  const events: SessionEvent[] = []
  let count = 0
  const keep = (at: "begin" | "settle") => async (record: CallRecord) => {
    if (options.failingJournal && at === "settle") throw new Error("the disk is full")
    written.push({ at, record: structuredClone(record) })
  }
  const session = new CallSession({
    id: "ses",
    directory: workspace,
    registry: createRegistry([save as never]),
    ports: portsOf(workspace),
    journal: {
      begin: keep("begin"),
      settle: keep("settle"),
      observe: async () => undefined,
      savePermissions: async (_id: string, rules: readonly PlacedRule[]) => void saved.push([...rules]),
    } as never,
    person: options.person ?? "headless",
    mode: options.mode ?? "ask",
    variables: {
      workspace: [workspace],
      adHoc: [],
      userData: undefined,
      home: join(base, "home"),
      haftHome: join(base, "haft"),
      haftConfig: join(base, "config"),
      scratch: [],
      sidecars: [],
      tmp: [],
    },
    grant: { fs: { read: ["{workspace}"], write: ["{workspace}"] }, shell: [{ cmd: "*" }] },
    requires: {},
    rules: options.rules ?? [],
    sessionRules: [],
    detectors: options.detectors ?? [],
    netGrants: [],
    confines: true,
    limits: {},
    memory: () => ({}) as never,
    newId: (prefix) => `${prefix}_${++count}`,
    now: () => 1_000,
    onEvent: (event) => void events.push(event),
    saveProjectRule: undefined,
  })
  const request = (path = "a.txt", more: Partial<EvaluateRequest> = {}): EvaluateRequest => ({
    tool: save as never,
    input: { path, text: "new" },
    session,
    person: session.person,
    world: new CallFacts(session),
    approved: false,
    argumentsHash: "h",
    fromModel: false,
    ...more,
  })
  return { base, workspace, session, request, written, saved, events }
}

function portsOf(workspace: string): SessionPorts {
  const locate = async (spelled: string): Promise<Located> => {
    const absolute = resolve(workspace, spelled)
    const resolved = followed(absolute)
    const kind = !existsSync(resolved) ? "missing" : statSync(resolved).isDirectory() ? "directory" : "file"
    return { spelled, absolute, resolved, kind }
  }
  const ports: Partial<SessionPorts> = {
    locate,
    isTracked: () => false,
    peek: () => undefined,
    contentHash: async (path) => (existsSync(path) ? hash("sha256", readFileSync(path)) : null),
    files: (call: CallScope) =>
      ({
        write: async (path: string, bytes: Uint8Array) => {
          const { resolved } = await locate(path)
          if (!call.grant.admits("fs.write", resolved)) throw new Error(`"${resolved}" is not granted`)
          writeFileSync(resolved, bytes)
          call.observe({ kind: "fs.write", path: resolved } as never)
        },
        open: async () => undefined,
      }) as never,
    search: () => ({}) as never,
    writeSidecar: async () => "",
  }
  return ports as SessionPorts
}

function followed(path: string): string {
  return existsSync(path)
    ? realpathSync(path)
    : join(existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path), basename(path))
}
