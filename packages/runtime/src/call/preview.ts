import {
  type AskPreview,
  type CallScope,
  type CommandPreview,
  type FileReader,
  maxShownBytes,
  ToolError,
} from "@haft/contract"
import { deniesFile, normalHost } from "@haft/guard"
import type { CallSession } from "../session/call-session.js"
import { digestOf } from "../session/facts-of.js"
import type { Evaluated, EvaluateRequest } from "./ladder/evaluated.js"
import { sandboxOf } from "./ladder/grant.js"
import { meaningsOf } from "./ladder/locate-parts.js"
import { meantReader } from "./meant-ports.js"
import { formerScript } from "./proposal-for.js"

/** What a person is shown of a call. */
export interface Shown {
  /** Absent where arguments and effects say it all. */
  readonly preview?: AskPreview
  /** The content that the preview was made from, by resolved path; null for what was missing. */
  readonly seen: ReadonlyMap<string, string | null>
}

// A person waits for the question: what takes longer is described and not shown.
const maxPreviewMs = 2_000

/** Tells what a judged call would do. Changes nothing, never fails for the tool's reasons, and never waits long. */
export async function previewCall(
  request: EvaluateRequest & { readonly signal: AbortSignal },
  evaluated: Evaluated,
): Promise<Shown> {
  const seen = new Map<string, string | null>()
  const files = await filePreviews(request, evaluated, seen)
  const command = evaluated.analysis && commandPreview(request, evaluated)
  const hosts = hostsOf(evaluated)
  const preview = { ...files, ...(command ? { command } : {}), ...(hosts.length > 0 ? { hosts } : {}) }
  return Object.keys(preview).length === 0 ? { seen } : { preview, seen }
}

/** The texts that the commands of a call run, as the person is shown them. */
function scriptOf({ analysis, facts }: Evaluated): string | undefined {
  const scripts = analysis?.parts.flatMap(({ script }) => script ?? []) ?? []
  const texts = new Set(scripts.flatMap((script) => facts.sourceOf(script)?.text ?? []))
  return texts.size === 0 ? undefined : shortened([...texts].join("\n"))
}

// Every listener gets it, and nobody reads more.
const maxScript = 64 * 1024

/** The digest represents what is left out: an answer is held against all of the text. */
function shortened(text: string): string {
  if (text.length <= maxScript) return text
  return `${text.slice(0, maxScript)}\n… (${text.length - maxScript} more characters, ${digestOf(text)})`
}

function commandPreview(request: EvaluateRequest, evaluated: Evaluated): CommandPreview {
  const { session } = request
  const { profile, hosts, approved, unconfined } = sandboxOf({ ...request, approved: true }, evaluated)
  const script = scriptOf(evaluated)
  const former = formerScript(evaluated, session)
  return {
    profile: unconfined || !session.confines ? "none" : profile,
    hosts,
    protectedNames: approved,
    ...(script === undefined ? {} : { script }),
    ...(former === undefined ? {} : { formerScript: former }),
  }
}

function hostsOf({ parts }: Evaluated): NonNullable<AskPreview["hosts"]> {
  const hosts = new Map<string, { readonly host: string; readonly port?: number }>()
  for (const effect of parts.flatMap((part) => part.effects)) {
    if (effect.kind !== "net.fetch") continue
    const { port } = effect
    const host = normalHost(effect.host)
    hosts.set(`${host}:${port}`, { host, ...(port === undefined ? {} : { port }) })
  }
  return [...hosts.values()]
}

async function filePreviews(
  { tool, input, session, signal }: EvaluateRequest & { readonly signal: AbortSignal },
  evaluated: Evaluated,
  seen: Map<string, string | null>,
): Promise<Pick<AskPreview, "files" | "problem" | "missing">> {
  if (!tool.preview) return {}
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), maxPreviewMs)
  try {
    const [{ preview }, execute] = await Promise.all([tool.preview(), session.registry.load(tool)])
    const bounded = AbortSignal.any([signal, late.signal])
    const files = seeing(filesToShow(session, evaluated, bounded), seen)
    const made = preview(execute, input, { files, signal: bounded, limit: session.limitOf(tool) })
    return await Promise.race([made, aborted(bounded)])
  } catch (error) {
    // The question is put all the same: the person who is asked sees the arguments.
    if (late.signal.aborted) return { missing: `it was not ready after ${maxPreviewMs / 1000} seconds` }
    return { missing: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true })
  })
}

/** The files that the call is about, for a person's eyes. What rules deny is shown to nobody: it would go to every listener. */
function filesToShow(session: CallSession, { parts }: Evaluated, signal: AbortSignal): FileReader {
  const book = session.rules()
  const judged = new Set(
    parts.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === "net.fetch" ? [] : [effect.at.resolved, effect.at.absolute])),
    ),
  )
  const call: CallScope = {
    callId: "",
    sessionId: session.id,
    signal,
    deadlineMs: session.now() + maxPreviewMs,
    grant: {
      admits: (kind, path) =>
        kind === "fs.read" && judged.has(path) && !deniesFile(book, "fs.read", path, session.ports),
      mayKeep: () => false,
    },
    observe: () => undefined,
  }
  const files = session.ports.filesToShow(call)
  const meanings = meaningsOf(parts)
  return meanings ? meantReader(files, meanings) : files
}

const changing = "changed while it was looked at"

/** Notes what was seen, so that the answer can be held to it. */
function seeing(files: FileReader, seen: Map<string, string | null>): FileReader {
  const note = (path: string, state: string | null) =>
    seen.set(path, seen.has(path) && seen.get(path) !== state ? changing : state)
  return {
    ...files,
    async readAll(path, { maxBytes }) {
      const content = await files.readAll(path, { maxBytes: Math.min(maxBytes, maxShownBytes) }).catch((error) => {
        if (maxBytes > maxShownBytes && ToolError.is(error) && error.code === "too_large")
          throw new Error("it is too large")
        throw error
      })
      note(content.path, content.hash)
      return content
    },
    async locate(path) {
      const located = await files.locate(path)
      if (located.kind === "missing") note(located.resolved, null)
      return located
    },
  }
}
