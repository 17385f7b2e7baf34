import { talks } from "../command-words.js"
import type { Detector, DetectorVerdict, TaintedText, WatchdogRequest } from "../detector.js"
import { plainForms } from "../taint/plain-forms.js"
import { indexRuns, minRun, type RunIndex } from "../taint/run-index.js"

/** Asks when a command or an outgoing request repeats what a stranger wrote, or carries the content of a file. */
export const taint: Detector = {
  id: "taint",
  about: `Pieces of ${minRun} or more characters from the web, an MCP server or an extension in a later command, address, header or body; the same for file content that would leave the machine`,
  inspect,
}

const allow: DetectorVerdict = { verdict: "allow" }

function inspect(request: WatchdogRequest): DetectorVerdict {
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

/** Following a link to a host is ordinary; what stands behind the host can carry something. */
function withoutHost(text: string): string {
  return text.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
}
