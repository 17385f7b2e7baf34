import { randomBytes } from "node:crypto"
import { dirname, join } from "node:path"
import { type PlacedRule, type RequirementSet, type Rule, type SessionRecord, ToolError } from "@haft/contract"
import { builtinDetectors, type Detector, defaultRules, type Variables } from "@haft/guard"
import {
  leaveSessionFolder,
  openSessionPorts,
  removeSessionFolder,
  removeTemporary,
  temporaryFolders,
} from "@haft/host"
import { CallSession, type Registry } from "@haft/runtime"
import { createId } from "@haft/store"
import type { Places } from "../config/places.js"
import type { HaftOptions } from "./options.js"
import { processesOf } from "./processes-of.js"
import { promptOf } from "./prompt-of.js"
import { servicesOf } from "./services-of.js"
import { type Session, sessionOf } from "./session.js"
import { SessionJournal, type StoreOpener } from "./session-journal.js"
import { sessionMemory } from "./session-memory.js"
import { launcherFile, UseCounter } from "./use-counter.js"
import { withSkillTools } from "./with-skill-tools.js"

/** What all sessions of a Haft share. */
export interface SessionSetting {
  readonly options: HaftOptions
  readonly places: Places
  readonly roots: readonly string[]
  readonly directory: string
  readonly registry: Registry
  readonly opener: StoreOpener | undefined
}

/** Opens a new session, or an earlier one by its id. */
export async function openSession(
  setting: SessionSetting,
  { id, endsWithCall = false }: { readonly id?: string; readonly endsWithCall?: boolean },
): Promise<Session> {
  const earlier = id === undefined ? undefined : await findSession(setting, id)
  const record = earlier ?? newSession(setting)
  const journal = setting.opener && new SessionJournal(setting.opener, record, { isNew: !earlier })
  // An earlier session is claimed before anything is opened, so that two owners never write side by side.
  if (earlier) await journal?.own()
  try {
    return await openClaimed(setting, record, { journal, endsWithCall })
  } catch (error) {
    await journal?.close()
    throw error
  }
}

async function openClaimed(
  setting: SessionSetting,
  record: SessionRecord,
  { journal, endsWithCall }: { readonly journal: SessionJournal | undefined; readonly endsWithCall: boolean },
): Promise<Session> {
  const { options, roots, directory } = setting
  const folder = join(setting.places.home, "sessions", String(record.metadata.folder))
  const ports = await openSessionPorts({
    roots,
    directory,
    sessionFolder: folder,
    historyFolder: join(setting.places.home, "history"),
    adHocFiles: options.adHocFiles ?? [],
    ...(hasOwnTemporary(setting) && { keptOfTemporary: keptOfTemporary(setting) }),
    processes: processesOf(setting),
    services: servicesOf(setting),
  })
  const uses = new UseCounter(join(setting.places.home, launcherFile))
  let inner: CallSession
  const end = async (leave: (folder: string) => Promise<void>) => {
    await inner.calls.end()
    await ports.close()
    uses.close()
    await inner.late.close()
    // Before the journal lets go of the session: whoever opens it next must not lose folders.
    await leave(folder).finally(() => journal?.close())
  }
  // A session of one call may be opened again for its outputs; the next call has a /tmp of its own.
  const detach = () => end(endsWithCall ? removeTemporary : leaveSessionFolder)
  const close = () => end(removeSessionFolder)
  try {
    inner = new CallSession({
      id: record.id,
      directory,
      registry: options.only ? setting.registry : await withSkillTools(setting.registry, ports.skills),
      ports,
      journal,
      person: options.person ?? "headless",
      mode: options.mode ?? "ask",
      variables: variablesOf(setting, folder),
      grant: options.grant ?? wholeRoots,
      requires: options.manifest?.requires ?? {},
      netGrants: options.netGrants ?? [],
      unconfined: options.sandbox?.unconfined ?? [],
      confines: options.sandbox?.policy !== "off",
      endsWithCall,
      rules: [...defaultRules(), ...harmlessTools(options), ...grantRules(options), ...placedRules(options)],
      sessionRules: record.permissions,
      detectors: withOwnDetectors(options.detectors ?? []),
      limits: options.limits ?? {},
      ...(options.known ? { known: options.known } : {}),
      ...(options.outputSchema ? { outputSchema: options.outputSchema } : {}),
      memory: (session) => sessionMemory(session, journal),
      newId: createId,
      now: Date.now,
      onEvent: (event) => {
        uses.hear(event)
        options.onEvent?.(event)
      },
      saveProjectRule: options.saveProjectRule,
    })
    const prompt: Session["prompt"] = ({ dialect } = {}) => promptOf(setting, ports.skills, dialect)
    return sessionOf(inner, { scratch: join(folder, "scratch"), prompt, close, detach })
  } catch (error) {
    await ports.close()
    throw error
  }
}

/** Tools of the host that need nothing of the world run unasked: the host that registered them vouches for their code. */
function harmlessTools({ tools = [] }: HaftOptions): readonly PlacedRule[] {
  return tools
    .filter(({ manifest: { requires, command } }) => Object.keys(requires).length === 0 && command === undefined)
    .map(({ manifest: { id } }) => ({ action: "allow", permission: id, source: { scope: "defaults" } }))
}

// The host's ceiling where the caller names none: the roots, and commands behind a sandbox.
const wholeRoots: RequirementSet = {
  shell: [{ cmd: "*" }],
  net: { hosts: ["*"] },
  fs: {
    read: ["{workspace}/**", "{ad-hoc}/**", "{user-data}/**"],
    write: ["{workspace}/**", "{ad-hoc}/**", "{user-data}/**"],
  },
}

function newSession({ options, roots, directory }: SessionSetting): SessionRecord {
  const now = Date.now()
  return {
    id: createId("ses"),
    agent: "haft",
    workspaceRoot: roots[0] ?? null,
    roots,
    directory,
    permissions: [],
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    // Unguessable, so that one session cannot name the files of another.
    metadata: { folder: randomBytes(16).toString("hex"), mode: options.mode ?? "ask" },
  }
}

async function findSession({ opener, roots }: SessionSetting, id: string): Promise<SessionRecord> {
  const store = await opener?.store()
  const found = await store?.session(id)
  if (found) return under(roots, found)
  throw new ToolError("not_found", `Cannot open session "${id}": there is no such session`, {
    hint: "See the list with: haft session list",
  })
}

/** The rules that a person saved in a session speak of its own roots; elsewhere they would mean other files. */
function under(roots: readonly string[], session: SessionRecord): SessionRecord {
  if (session.roots.length === roots.length && session.roots.every((root) => roots.includes(root))) return session
  throw new ToolError(
    "conflict",
    `Cannot open session "${session.id}" here: it belongs to ${session.roots.join(", ")}`,
    {
      hint: `Say it with ${session.roots.map((root) => `--root ${root}`).join(" ")}, or leave the session out`,
    },
  )
}

/** Where every command has a view of its own, /tmp is the session's, for commands and tools alike. */
function hasOwnTemporary({ options }: SessionSetting): boolean {
  return process.platform === "linux" && (options.sandbox?.policy ?? "required") === "required"
}

/** What stays what it is although it may lie in /tmp. */
function keptOfTemporary({ places, roots }: SessionSetting): readonly string[] {
  const own = [places.userHome, places.home, places.configHome]
  // A home directory that is /tmp itself does not make all of it the machine's.
  return [...roots, ...own.filter((path) => !temporaryFolders.some((folder) => folder === path))]
}

function variablesOf(setting: SessionSetting, folder: string): Variables {
  const { options, places, roots } = setting
  return {
    workspace: roots,
    adHoc: (options.adHocFiles ?? []).map((file) => dirname(file)),
    userData: join(places.home, "data"),
    home: places.userHome,
    haftHome: places.home,
    haftConfig: places.configHome,
    scratch: [join(folder, "scratch")],
    sidecars: [join(folder, "out")],
    tmp: hasOwnTemporary(setting) ? [join(folder, "tmp")] : [],
  }
}

function placedRules({ rules = [], manifest }: HaftOptions): readonly PlacedRule[] {
  return [
    ...rules.map((rule) => ("source" in rule ? rule : placed(rule, "flag"))),
    ...(manifest?.rules ?? []).map((rule) => placed(rule, "manifest")),
  ]
}

/** Who names a host lets tools reach it: otherwise each request would still have to be allowed. */
function grantRules({ netGrants = [] }: HaftOptions): readonly PlacedRule[] {
  return netGrants.map((host) => ({
    permission: "net.fetch",
    pattern: host,
    action: "allow",
    source: { scope: "flag" },
  }))
}

function placed(rule: Rule, scope: "flag" | "manifest"): PlacedRule {
  return { ...rule, source: { scope } }
}

/** A detector of the host takes the place of the built-in one that has its id. */
function withOwnDetectors(own: readonly Detector[]): readonly Detector[] {
  return [...builtinDetectors().filter(({ id }) => !own.some((each) => each.id === id)), ...own]
}
