import {
  type AnyManifest,
  type CallPart,
  type Effect,
  type Head,
  isInside,
  isWindowsPath,
  type Located,
  type NamedCommand,
  type NamedSubject,
  type SessionPorts,
  type Subject,
  ToolError,
} from "@haft/contract"
import { type CommandAnalysis, commandParts, type LocatePath } from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import { analyzeCommand } from "./analyze-command.js"

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
    if (named.kind === "net.fetch") effects.push(named)
    else {
      const { kind, path, outside } = named
      const at = await locate(path)
      effects.push(outside ? { kind, at, outside } : { kind, at })
    }
  }
  if (manifest.command) return locateCommand(manifest, manifest.command(input), effects, session)
  const subject = manifest.subject
    ? await locateSubject(manifest.subject(input), locate)
    : defaultSubject(effects, input)
  // What a server does with a call cannot be listed: that its host may be reached says nothing about it.
  const opaque = manifest.requires.capabilities?.includes("servers") === true
  return { parts: [{ label: manifest.id, heads: headsOf(manifest, subject), effects, opaque }] }
}

/** Paths in a command mean what they say, because the shell has read them; arguments come as a model wrote them. */
async function locateMeant(path: string, { ports, variables }: CallSession): Promise<Located> {
  const isThere = async (name: string) => {
    const { resolved, kind } = await ports.locate(name)
    // What is outside is taken as being there, so that no answer tells whether it is.
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

function alsoLike(
  { id, judgedLike, judgedLikeStrictly }: Pick<AnyManifest, "id" | "judgedLike" | "judgedLikeStrictly">,
  head: Head,
): readonly Head[] {
  if (judgedLike === undefined || head.permission !== id) return [head]
  return [head, { ...head, permission: judgedLike, ...(judgedLikeStrictly && { strictOnly: true }) }]
}

/** Paths as a tool hands them to its ports, and what they were judged as. */
export type Meanings = ReadonlyMap<string, string>

/** The paths of a judged call that mean others than they say; undefined where all mean what they say. */
export function meaningsOf(parts: readonly CallPart[]): Meanings | undefined {
  let found: Map<string, string> | undefined
  for (const part of parts) {
    for (const effect of part.effects) {
      if (effect.kind === "net.fetch" || effect.at.meant === undefined) continue
      found ??= new Map()
      found.set(effect.at.spelled, effect.at.meant)
    }
  }
  return found
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
 * not the one that the link is in, also for the folder that the command runs in.
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
    if (!leadsUp.test(path)) return locateOnce(whole)
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

const leadsUp = /(?:^|\/)\.\.(?:\/|$)/

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"))
}

/** Where a path that a model sent is looked up. */
export interface PathWorld {
  /** The home of the user; absolute. */
  readonly home: string
  /** Whether something is there under this name, or could be as far as may be known: no path outside is looked at. */
  isThere(path: string): Promise<boolean>
}

// Blanks and quotes around it, ~, @, $HOME, file:, C:\ and backslashes; every other path means what it says.
const odd = /^[\s"'`~@$]|^file:\/|^[A-Za-z]:[\\/]|\\|[\s"'`]$/i

// No system opens a longer one; each reading of it costs a look.
const maxPathUnits = 4_096

/** Whether a path may mean another one than it says; most do not, and need no look. */
function isOddPath(path: string): boolean {
  return path.length <= maxPathUnits && odd.test(path) && path.trim() !== "" && !path.includes("\0")
}

/**
 * The path that a model means: the home for `~`, a file URL as a path, a mention without its `@`, quotes and blanks around
 * it left out. What exists as it is written wins. A path of Windows, and a URL of another machine, are `invalid_args`.
 */
async function meantPath(path: string, world: PathWorld): Promise<string> {
  // On Windows backslashes and drives are what paths are made of.
  if (!isOddPath(path) || isWindowsPath(world.home)) return path
  if (await isWritten(path, world)) return path
  const bare = unwrapped(path)
  if (bare !== path) return meantPath(bare, world)
  const below = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(path)
  if (below) return world.home + (below[1] ?? "")
  if (/^file:\//i.test(path)) return fromFileUrl(path)
  if (isWindowsPath(path)) throw unusable(path, "it is a path of Windows, and this machine has none")
  if (/^@[^@]/.test(path)) return mentioned(path, world)
  return path.includes("\\") ? withoutBackslashes(path, world) : path
}

/** Whether the path itself is there, or the oddly named folder that it begins with: a new file may be made in it. */
async function isWritten(path: string, world: PathWorld): Promise<boolean> {
  if (await world.isThere(path)) return true
  const [head = ""] = path.split("/", 1)
  return head !== path && isOddPath(`${head}/`) && world.isThere(head)
}

function unwrapped(path: string): string {
  let bare = path.trim()
  for (let inner = quotedIn(bare); inner !== ""; inner = quotedIn(bare)) bare = inner
  return bare
}

function quotedIn(text: string): string {
  return /^(["'`])(.+)\1$/s.exec(text)?.[2]?.trim() ?? ""
}

function fromFileUrl(path: string): string {
  if (!URL.canParse(path)) throw unusable(path, "it is no valid URL")
  const { host, pathname } = new URL(path)
  if (host !== "") throw unusable(path, `its URL names the host "${host}"`)
  if (/%2f/i.test(pathname)) throw unusable(path, "it has an encoded slash in a name")
  const decoded = decodedPath(path, pathname)
  if (isWindowsPath(decoded.slice(1))) throw unusable(path, "it is a path of Windows, and this machine has none")
  return decoded
}

function decodedPath(path: string, pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    throw unusable(path, "a percent sign in a URL is followed by two digits of a byte in UTF-8")
  }
}

/** `@src/a.ts` is how people point at a file; a new name that begins with @, such as that of a package, stays. */
async function mentioned(path: string, world: PathWorld): Promise<string> {
  const named = await meantPath(path.slice(1), world)
  return (await world.isThere(named)) ? named : path
}

/** Backslashes between names are those of Windows, before blanks and brackets those of a shell. */
async function withoutBackslashes(path: string, world: PathWorld): Promise<string> {
  const unescaped = path.replace(/\\([ ()[\]{}&'"`$!;*?<>|#~@\\])/g, "$1")
  if (unescaped !== path && (await world.isThere(unescaped))) return unescaped
  const slashed = path.replaceAll("\\", "/")
  const [head = ""] = slashed.split("/", 1)
  return head !== "" && (await world.isThere(head)) ? slashed : path
}

function unusable(path: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot use the path "${path}": ${reason}`, {
    hint: "Send a plain path, relative to the working directory or from / on",
  })
}
