import type { CommandPartAnalysis } from "../../command/command-analysis.js"
import { joinPath } from "../../path.js"
import { allow, type Detector, type DetectorVerdict, type TaintedText, type WatchdogRequest } from "../run-watchdog.js"
import { plainForms } from "../taint/plain-forms.js"
import { indexRuns, minRun, type RunIndex } from "../taint/run-index.js"
import { interprets, programsOf, talks } from "./dangerous-commands.js"

/** Asks when what is on the machine would leave it, or when what comes from elsewhere would run at once. */
export const exfiltration: Detector = {
  id: "exfiltration",
  about:
    "Files, environment and command output on their way to other machines, addresses that carry data, downloads that run at once",
  inspect: inspectOutgoing,
}

function inspectOutgoing({ command, arguments: values, manifest }: WatchdogRequest): DetectorVerdict {
  const reason = commandReason(command?.parts ?? []) ?? addressReason(manifest.kind === "fetch" ? values : {})
  return reason ? { verdict: "ask", reason } : allow
}

function commandReason(parts: readonly CommandPartAnalysis[]): string | undefined {
  for (const part of parts) {
    if (!talks(part)) continue
    const reason = sends(part) ?? sendsPipe(part, parts) ?? runsDownload(part, parts)
    if (reason) return reason
  }
  return undefined
}

function sends(part: CommandPartAnalysis): string | undefined {
  const [file] = part.reads
  // The repository is what git is there to send.
  if (file !== undefined && part.argv[0] !== "git") return `"${part.text}" sends "${file}" to another machine`
  const word = part.unresolved.find((each) => /\$\(|`|<\(/.test(each) || secretVariable.test(each))
  if (word) return `"${part.text}" sends what ${word} gives to another machine`
  const odd = part.argv.map(oddAddress).find((each) => each !== undefined)
  return odd ? `"${part.text}" uses an address that ${odd}` : undefined
}

const secretVariable = /\$\{?\w*(?:KEY|TOKEN|SECRET|PASS|CREDENTIAL)/i

/** Something that reads is in front of it in the same pipeline. */
function sendsPipe(part: CommandPartAnalysis, parts: readonly CommandPartAnalysis[]): string | undefined {
  if (part.pipeline === undefined) return undefined
  const before = parts.slice(0, parts.indexOf(part)).filter((each) => each.pipeline === part.pipeline)
  const source = before.find(
    (each) =>
      each.reads.length > 0 ||
      each.opaque ||
      each.unresolved.some((word) => secretVariable.test(word)) ||
      programsOf(each).some((name) => telling.has(name)),
  )
  return source ? `"${part.text}" sends the output of "${source.text}" to another machine` : undefined
}

const telling = new Set([
  "env",
  "printenv",
  "set",
  "export",
  "declare",
  "history",
  "ps",
  "id",
  "uname",
  "hostname",
  "whoami",
])

/** A download that goes straight into a shell or an interpreter, or into a file that the same line runs. */
function runsDownload(part: CommandPartAnalysis, parts: readonly CommandPartAnalysis[]): string | undefined {
  const at = parts.indexOf(part)
  const made = new Set(part.writes.map((path) => joinPath(part.directory, path)))
  const runner = parts.find(
    (each, index) =>
      (index > at && runsOneOf(made, each)) ||
      (interprets(each) &&
        ((each.pipeline !== undefined && each.pipeline === part.pipeline && index > at) ||
          each.unresolved.some((word) => word.includes(part.text)))),
  )
  return runner ? `"${runner.text}" runs what "${part.text}" downloads` : undefined
}

function runsOneOf(files: ReadonlySet<string>, part: CommandPartAnalysis): boolean {
  const [program = "", ...words] = part.argv
  const run = interprets(part) ? words : program.includes("/") ? [program] : []
  return files.size > 0 && run.some((word) => files.has(joinPath(part.directory, word)))
}

function addressReason(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(values)) {
    const odd = typeof value === "string" ? oddAddress(value) : undefined
    if (odd) return `the argument "${key}" is an address that ${odd}`
  }
  return undefined
}

/** Asks when a command or an outgoing request repeats what a stranger wrote, or carries the content of a file. */
export const taint: Detector = {
  id: "taint",
  about: `Pieces of ${minRun} or more characters from the web, an MCP server or an extension in a later command, address, header or body; the same for file content that would leave the machine`,
  inspect: inspectTaint,
}

function inspectTaint(request: WatchdogRequest): DetectorVerdict {
  const { tainted = [] } = request
  if (tainted.length === 0) return allow
  const all = formsOf(watchedTexts(request))
  if (all.length === 0) return allow
  const outgoing = tainted.some(({ source }) => source === "file") ? formsOf(outgoingTexts(request)) : []
  let left = maxIndexed
  for (const entry of tainted.toReversed()) {
    left -= entry.text.length
    if (left < 0) break
    const run = firstRun(entry, entry.source === "file" ? outgoing : all)
    if (run !== undefined) return { verdict: "ask", reason: reasonFor(request, entry, run) }
  }
  return allow
}

// Newest first; what is older than this many characters is forgotten.
const maxIndexed = 2_000_000
const maxWatched = 65_536

function reasonFor({ tool }: WatchdogRequest, { callId, source }: TaintedText, run: string): string {
  const shown = run.length > 60 ? `${run.slice(0, 57)}...` : run
  const what = source === "file" ? "content of the file read in" : "the result of"
  return `this call of ${tool} repeats "${shown}" from ${what} call ${callId}`
}

function firstRun(entry: TaintedText, forms: readonly string[]): string | undefined {
  if (forms.length === 0) return undefined
  for (const index of indexesOf(entry)) {
    for (const form of forms) {
      const run = index.find(form)
      if (run !== undefined) return run
    }
  }
  return undefined
}

const indexes = new WeakMap<TaintedText, readonly RunIndex[]>()

function indexesOf(entry: TaintedText): readonly RunIndex[] {
  const known = indexes.get(entry)
  if (known) return known
  const built = plainForms(entry.text).map(indexRuns)
  indexes.set(entry, built)
  return built
}

/** What would run or leave: arguments of tools that run commands or send requests. */
function watchedTexts({ manifest, arguments: values, command }: WatchdogRequest): readonly string[] {
  if (manifest.kind === "fetch") return textsIn(values, 0).map(withoutHost)
  if (manifest.kind !== "execute" && !command) return []
  // Words as well as text: quotes inside a word would break a piece in two.
  return [...textsIn(values, 0), ...(command?.parts ?? []).map(({ argv }) => argv.join(" "))]
}

function outgoingTexts({ manifest, arguments: values, command }: WatchdogRequest): readonly string[] {
  if (manifest.kind === "fetch") return textsIn(values, 0).map(withoutHost)
  return (command?.parts ?? []).filter(talks).map(({ argv }) => argv.join(" "))
}

function formsOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => plainForms(text.slice(0, maxWatched))).filter((form) => form.length >= minRun)
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null || depth > 8) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1))
}

/** Following a link to a host is ordinary; what is behind the host can carry something. */
function withoutHost(text: string): string {
  return text.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
}

/** What makes an address look as if it carried data; undefined for an ordinary one and for any other text. */
function oddAddress(text: string): string | undefined {
  const found = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([/?#][\s\S]*)?$/i.exec(text)
  if (!found) return undefined
  const [, authority = "", rest = ""] = found
  if (new TextEncoder().encode(rest).length > maxBytes) return `is longer than ${maxBytes} bytes`
  const pieces = [...authority.split("."), ...decoded(rest).split(/[/?&=.;:,#|\s]+/)]
  return pieces.some(looksRandom) ? "holds a long random-looking part" : undefined
}

const maxBytes = 512
const maxRandom = 40

/** Words change between letters and digits, or between cases, far less often than coded data does. */
function looksRandom(piece: string): boolean {
  if (piece.length <= maxRandom) return false
  let changes = 0
  let last: string | undefined
  for (const letter of piece) {
    const kind = /[a-z]/.test(letter)
      ? "lower"
      : /[A-Z]/.test(letter)
        ? "upper"
        : /\d/.test(letter)
          ? "digit"
          : undefined
    if (kind === undefined) continue
    if (last !== undefined && kind !== last) changes++
    last = kind
  }
  return changes / piece.length > 0.2
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
