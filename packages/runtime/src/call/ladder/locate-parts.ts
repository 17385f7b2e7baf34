import type {
  AnyManifest,
  CallPart,
  Effect,
  Located,
  NamedEffect,
  NamedSubject,
  SessionPorts,
  Subject,
} from "@haft/contract"

/** What a call is judged by: its effects with their paths resolved, and the subject of its tool. */
export async function locateParts(
  manifest: AnyManifest,
  input: Readonly<Record<string, unknown>>,
  ports: SessionPorts,
): Promise<readonly CallPart[]> {
  const located = new Map<string, Located>()
  const locate = async (path: string) => {
    const known = located.get(path) ?? (await ports.locate(path))
    located.set(path, known)
    return known
  }
  const effects: Effect[] = []
  for (const named of manifest.effects(input)) effects.push(await locateEffect(named, locate))
  const subject = manifest.subject
    ? await locateSubject(manifest.subject(input), locate)
    : defaultSubject(effects, input)
  return [{ label: manifest.id, heads: [{ permission: manifest.id, subject }], effects, opaque: false }]
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
