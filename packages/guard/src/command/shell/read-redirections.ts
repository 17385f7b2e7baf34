import type { HereDoc, HereString, Redirect, Redirection } from "unbash"
import { type Argument, Findings, type Input, quoted } from "../program/findings.js"
import { resolveSingle, walkParts } from "./resolve-word.js"
import { setByShell } from "./variable-value.js"
import { type Scope, takeStep, type Walk } from "./walk.js"

/** Files that redirections open. */
export interface Redirected {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** Notes what redirections open; copies of descriptors and devices that keep nothing count for nothing. */
export function readRedirections(
  walk: Walk,
  scope: Scope,
  redirections: readonly Redirection[],
  findings: Findings,
): Redirected | undefined {
  if (redirections.length === 0) return undefined
  const own = new Findings()
  for (const redirection of redirections) {
    takeStep(walk)
    if (redirection.descriptor?.type === "FileDescriptorVariable") setByShell(walk, redirection.descriptor.name)
    const feeds = isInput(redirection)
    if (redirection.type === "HereDoc") {
      if (!redirection.delimiter?.quoted) walkParts(walk, scope, redirection.body.parts)
      if (feeds) findings.input = documentText(redirection)
      continue
    }
    if (!redirection.target) {
      own.opaque("a redirection has no target")
      continue
    }
    const target = resolveSingle(walk, scope, redirection.target)
    if (redirection.type === "Redirect") readRedirect(redirection, target, own)
    if (feeds) findings.input = inputFrom(redirection, target)
  }
  if (own.why !== undefined) findings.opaque(own.why)
  for (const host of own.hosts) findings.host(host)
  return own.reads.length + own.writes.length === 0 ? undefined : { reads: own.reads, writes: own.writes }
}

/** Whether a redirection gives the command its standard input. */
function isInput({ descriptor, operator }: Redirection): boolean {
  if (descriptor) return descriptor.type === "FileDescriptor" && descriptor.value === 0
  return operator.startsWith("<")
}

function inputFrom({ type, operator }: Redirect | HereString, target: Argument): Input {
  if (target.kind !== "literal") return { kind: "unknown" }
  if (type === "HereString") return { kind: "text", text: `${target.text}\n` }
  return { kind: operator === "<" && !target.text.startsWith("/dev/") ? "file" : "unknown" }
}

/** The lines of a heredoc, where nothing in them is expanded. */
function documentText({ delimiter, body, operator }: HereDoc): Input {
  if (!delimiter?.quoted && /[$`\\]/.test(body.text)) return { kind: "unknown" }
  return { kind: "text", text: operator === "<<-" ? body.text.replace(/^\t+/gm, "") : body.text }
}

function readRedirect({ operator, target: word }: Redirect, target: Argument, own: Findings): void {
  if (target.kind === "pipe") return
  if (target.kind === "literal") {
    const socket = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)$/.exec(target.text)
    if (socket) {
      const [, host, port] = socket
      // A port may also have the name of its service.
      own.host({ host: host!.toLowerCase(), ...(/^\d+$/.test(port!) ? { port: Number(port) } : {}) })
      own.opaque("bash opens a connection")
      return
    }
    if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(target.text)) return
  }
  // bash 5.2 forgets the quotes of this target inside a substitution: $(echo >&'a\b') writes "ab".
  if (operator === ">&" && !/^[\w./@%+=:,-]+$/.test(word!.text)) {
    own.opaque(`bash may read ${quoted(word!.text)} in another way`)
  }
  // Only one name may come out of a wildcard here, and which one is not known.
  if (target.kind === "names") own.opaque(`which file ${quoted(target.text)} is cannot be known before it runs`)
  // A dash is a file of that name here, not standard input.
  const file = target.kind === "literal" && target.text === "-" ? { ...target, text: "./-" } : target
  if (operator === "<") own.read(file)
  else if (operator === "<&") own.opaque(`which descriptor ${quoted(target.text)} is cannot be known before it runs`)
  else {
    if (operator === "<>") own.read(file)
    own.write(file)
  }
}
