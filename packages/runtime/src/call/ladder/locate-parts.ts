import type {
  AnyManifest,
  CallPart,
  Effect,
  Head,
  Located,
  NamedCommand,
  NamedEffect,
  NamedSubject,
  Subject,
} from "@haft/contract"
import {
  analyzeArgv,
  analyzeBash,
  analyzePowerShell,
  type CommandAnalysis,
  commandParts,
  needsWorker,
} from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"

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
  const located = new Map<string, Located>()
  const locate = async (path: string) => {
    const known = located.get(path) ?? (await session.ports.locate(path))
    located.set(path, known)
    return known
  }
  const effects: Effect[] = []
  for (const named of manifest.effects(input)) effects.push(await locateEffect(named, locate))
  if (manifest.command) return locateCommand(manifest, manifest.command(input), effects, session)
  const subject = manifest.subject
    ? await locateSubject(manifest.subject(input), locate)
    : defaultSubject(effects, input)
  return { parts: [{ label: manifest.id, heads: headsOf(manifest, subject), effects, opaque: false }] }
}

/** A tool that does the same as another under another shape is also judged by that one's rules. */
export function headsOf({ id, judgedLike }: AnyManifest, subject: Subject): readonly Head[] {
  const own = { permission: id, subject }
  return judgedLike === undefined ? [own] : [own, { permission: judgedLike, subject }]
}

async function locateCommand(
  manifest: AnyManifest,
  command: NamedCommand,
  effects: readonly Effect[],
  session: CallSession,
): Promise<LocatedParts> {
  const analysis = analyze(command, session)
  const locate = (path: string, from: string) => session.ports.locate(path.startsWith("/") ? path : `${from}/${path}`)
  const parts = await commandParts(manifest.judgedLike ?? manifest.id, analysis, locate)
  if (effects.length === 0) return { parts, analysis }
  const own: CallPart = { label: manifest.id, heads: parts[0]?.heads ?? [], effects, opaque: false }
  return { parts: [...parts, own], analysis }
}

function analyze(command: NamedCommand, session: CallSession): CommandAnalysis {
  const context = { directory: session.directory, home: session.variables.home, roots: session.variables.workspace }
  switch (command.kind) {
    case "bash":
      // A parser can take very long on hostile text: what is too long to be read at once is judged as unknown.
      return needsWorker(command.text)
        ? opaqueAnalysis(command.text, context.directory)
        : analyzeBash(command.text, context)
    case "argv":
      return analyzeArgv(command.argv, { ...context, directory: command.directory ?? context.directory })
    case "powershell":
      return analyzePowerShell(command.text)
    case "opaque":
      return opaqueAnalysis(command.label, context.directory)
  }
}

/** A command that nothing is known about: it asks, and runs behind the wall that the answer gives. */
function opaqueAnalysis(text: string, directory: string): CommandAnalysis {
  const unknown = {
    argv: [],
    assignments: [],
    reads: [],
    writes: [],
    deletes: [],
    hosts: [],
    unresolved: [],
    wrappers: [],
  }
  const why = "its text is not looked into"
  return {
    parts: [{ ...unknown, text, directory, opaque: true, why, readOnly: false, plain: false }],
    parsed: false,
  }
}

type Locate = (path: string) => Promise<Located>

async function locateEffect(named: NamedEffect, locate: Locate): Promise<Effect> {
  return named.kind === "net.fetch" ? named : { kind: named.kind, at: await locate(named.path) }
}

async function locateSubject(named: NamedSubject, locate: Locate): Promise<Subject> {
  return named.kind === "path" ? { kind: "path", at: await locate(named.path) } : named
}

function defaultSubject(effects: readonly Effect[], input: Readonly<Record<string, unknown>>): Subject {
  const first = effects[0]
  if (first === undefined) return { kind: "arguments", values: input }
  return first.kind === "net.fetch"
    ? { kind: "host", host: first.host, ...(first.port === undefined ? {} : { port: first.port }) }
    : { kind: "path", at: first.at }
}
