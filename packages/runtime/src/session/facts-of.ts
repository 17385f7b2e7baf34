import { hash } from "node:crypto"
import { type CallPart, isInside, type SessionPorts } from "@haft/contract"
import {
  deniesFile,
  type Facts,
  type RuleBook,
  readScript,
  type Script,
  type ScriptPlaces,
  type ScriptText,
  scriptOfCommand,
  type Variables,
} from "@haft/guard"

/** The text that a command runs, with the digest that a saved answer keeps of it. */
export interface ScriptSource extends ScriptText {
  readonly digest: string
}

/** What rules must know about the world, asked from the host when a rule depends on it. */
export interface SessionFacts extends Facts {
  /** The text that a script runs; undefined when there is none. */
  sourceOf(script: Script): ScriptSource | undefined
  /** The text that a command runs in a folder; undefined when it runs none, or not all of it is known. */
  scriptOf(argv: readonly string[], directory: string | undefined): ScriptSource | undefined
}

/** The facts that one verdict is made from: each text is read once, so that what is judged is what is shown and kept. */
export interface HeldFacts extends SessionFacts {
  /** Whether every text that was read is still the same. */
  isCurrent(): boolean
}

/** The facts of a session. */
export function factsOf(
  ports: SessionPorts,
  { workspace }: Pick<Variables, "workspace">,
  rules: () => RuleBook,
): SessionFacts {
  // A file that rules deny, such as an `.env` that a Makefile takes in, is open to no command and is shown to nobody.
  const admits = (path: string) => !deniesFile(rules(), "fs.read", path, ports)
  const peek: ScriptPlaces["peek"] = (path, onPlace) =>
    ports.peek(path, (place) => {
      onPlace?.(place)
      return admits(place)
    })
  return factsFrom(ports, (script) => {
    const source = readScript(script, { peek, roots: workspace })
    return source && { ...source, digest: digestOf(source.identity) }
  })
}

/**
 * The same facts, with every text as it is when it is first asked for. A text that the call itself may change before it runs
 * is not known: `cp other x.sh && bash x.sh` runs another one than is there now.
 */
export function heldFacts(facts: SessionFacts, parts: readonly CallPart[]): HeldFacts {
  const read = new Map<string, readonly [Script, ScriptSource | undefined]>()
  const held = factsFrom(facts, (script) => {
    const key = JSON.stringify(script)
    const known = read.get(key) ?? ([script, unlessChanged(facts.sourceOf(script), parts)] as const)
    read.set(key, known)
    return known[1]
  })
  const isCurrent = () =>
    [...read.values()].every(([script, source]) => facts.sourceOf(script)?.digest === source?.digest)
  const { isTracked, sourceOf, scriptOf, scriptDigest } = held
  return { isTracked, sourceOf, scriptOf, scriptDigest, isCurrent }
}

/** The digest that a saved answer keeps: the answer holds while the script has this text. */
export function digestOf(text: string): string {
  return `sha256:${hash("sha256", text)}`
}

function unlessChanged(source: ScriptSource | undefined, parts: readonly CallPart[]): ScriptSource | undefined {
  if (!source?.complete || !parts.some((part) => mayChange(part, source))) return source
  return { ...source, complete: false }
}

function mayChange({ opaque, runs, effects }: CallPart, { paths }: ScriptSource): boolean {
  // What runs code may do whatever the script may. What runs none and changes what cannot be known must not make it run some.
  if (opaque && runs === undefined) return true
  const changed = effects.flatMap((effect) =>
    effect.kind === "fs.write" || effect.kind === "fs.delete" ? [effect.at.absolute, effect.at.resolved] : [],
  )
  return changed.some((place) => [...paths].some((path) => isInside(path, place)))
}

function factsFrom(
  { isTracked }: Pick<Facts, "isTracked">,
  sourceOf: SessionFacts["sourceOf"],
): Required<SessionFacts> {
  const scriptOf: SessionFacts["scriptOf"] = (argv, directory) => {
    const script = directory === undefined ? undefined : scriptOfCommand(argv, directory)
    const source = script && sourceOf(script)
    // What is not known in full cannot be compared.
    return source?.complete === true ? source : undefined
  }
  return {
    isTracked,
    sourceOf,
    scriptOf,
    scriptDigest: (argv, directory) => scriptOf(argv, directory)?.digest,
  }
}
