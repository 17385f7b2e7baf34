import {
  type AnyManifest,
  type CallPart,
  type Effect,
  type Head,
  type Located,
  type NamedCommand,
  type NamedSubject,
  type Subject,
  type SessionPorts,
  isInside,
} from "@haft/contract"
import { type CommandAnalysis, commandParts, type LocatePath } from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import { analyzeCommand } from "./analyze-command.js"
import { isOddPath, meantPath } from "./meant-path.js"

/** What a call is judged by, and the analysis of its command where it has one. */
export interface LocatedParts {
  readonly parts: readonly CallPart[]
  readonly analysis?: CommandAnalysis
}

/** What a call is judged by: its effects with their paths resolved, the subject of its tool, the parts of its command. */
export async function locateParts(
  manifest: AnyManifest,
  input: Readonly<Record<string, unknown>>,
  session: CallSession,
): Promise<LocatedParts> {
  const located = new Map<string, Promise<Located>>()
  const locate = (path: string) => {
    const found = located.get(path) ?? (isOddPath(path) ? locateMeant(path, session) : session.ports.locate(path))
    located.set(path, found)
    return found
  }
  const effects: Effect[] = []
  for (const named of manifest.effects(input)) {
    effects.push(named.kind === "net.fetch" ? named : { kind: named.kind, at: await locate(named.path) })
  }
  if (manifest.command) return locateCommand(manifest, manifest.command(input), effects, session)
  const subject = manifest.subject
    ? await locateSubject(manifest.subject(input), locate)
    : defaultSubject(effects, input)
  return { parts: [{ label: manifest.id, heads: headsOf(manifest, subject), effects, opaque: false }] }
}

/** Paths in a command mean what they say, because the shell has read them; arguments come as a model wrote them. */
async function locateMeant(path: string, { ports, variables }: CallSession): Promise<Located> {
  const isThere = async (name: string) => {
    const { resolved, kind } = await ports.locate(name)
    // What lies outside is taken as being there, so that no answer tells whether it is.
    return kind !== "missing" || !variables.workspace.some((root) => isInside(resolved, root))
  }
  const meant = await meantPath(path, { home: variables.home, isThere })
  const found = await ports.locate(meant)
  return meant === path ? found : { ...found, spelled: path, meant }
}

/** A tool that does the same as another under another shape is also judged by that one's rules. */
export function headsOf(manifest: AnyManifest, subject: Subject): readonly Head[] {
  return alsoLike(manifest, { permission: manifest.id, subject })
}

function alsoLike({ id, judgedLike }: Pick<AnyManifest, "id" | "judgedLike">, head: Head): readonly Head[] {
  return judgedLike === undefined || head.permission !== id ? [head] : [head, { ...head, permission: judgedLike }]
}

async function locateCommand(
  manifest: AnyManifest,
  command: NamedCommand,
  effects: readonly Effect[],
  session: CallSession,
): Promise<LocatedParts> {
  const analysis = await analyzeCommand(command, session)
  const named = await commandParts(manifest.id, analysis, followPaths(session.ports))
  const parts = named.map((part) => ({ ...part, heads: part.heads.flatMap((head) => alsoLike(manifest, head)) }))
  if (effects.length === 0) return { parts, analysis }
  const own: CallPart = { label: manifest.id, heads: parts[0]?.heads ?? [], effects, opaque: false }
  return { parts: [...parts, own], analysis }
}

type Locate = (path: string) => Promise<Located>

async function locateSubject(named: NamedSubject, locate: Locate): Promise<Subject> {
  return named.kind === "path" ? { kind: "path", at: await locate(named.path) } : named
}

function defaultSubject(effects: readonly Effect[], input: Readonly<Record<string, unknown>>): Subject {
  const first = effects[0]
  if (first === undefined) return { kind: "arguments", values: input }
  return first.kind === "net.fetch" ? { ...first, kind: "host" } : { kind: "path", at: first.at }
}

/**
 * Finds where the paths of a command lead, as the kernel walks them: behind a link `..` is the folder above its target and
 * not the one that the link lies in, also for the folder that the command runs in.
 */
function followPaths({ locate }: Pick<SessionPorts, "locate">): LocatePath {
  const known = new Map<string, Promise<Located>>()
  const locateOnce = (path: string): Promise<Located> => {
    const found = known.get(path) ?? locate(path)
    known.set(path, found)
    return found
  }
  return async (path, from) => {
    const whole = path.startsWith("/") ? path : `${from}/${path}`
    if (!climbs.test(path)) return locateOnce(whole)
    // The folder itself is one that the shell changed into: its own path holds no step upwards.
    let place = path.startsWith("/") ? "" : from
    for (const step of path.split("/")) {
      if (step === "..") place = parentOf(placeOf(await locateOnce(place || "/")))
      else if (step !== "" && step !== ".") place = `${place}/${step}`
    }
    return locateOnce(place || "/")
  }
}

/** Where a command finds it. */
function placeOf({ named, resolved }: Located): string {
  return named ?? resolved
}

const climbs = /(?:^|\/)\.\.(?:\/|$)/

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"))
}
