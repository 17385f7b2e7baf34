import type { CallScope, FileReader, LanguageItem, LanguageRequest } from "@haft/contract"
import type { LanguageLimits } from "../limits.js"
import type { ServerSession } from "../pool/server-session.js"

/** One question to one server on behalf of one call. */
export interface Asking {
  readonly session: ServerSession
  readonly request: LanguageRequest
  readonly files: FileReader
  readonly admits: JudgePath
  readonly limits: LanguageLimits
  readonly signal: AbortSignal
}

/** What came back, judged already. */
export interface Answer {
  readonly items: readonly LanguageItem[]
  readonly text?: string
  /** Places that the call may not see. */
  readonly denied: number
  /** True when the server said nothing about the current text in time. */
  readonly stale?: boolean
}

/** Whether the call may see a path that a server named; asked once a path. */
export type JudgePath = (path: string) => Promise<boolean>

/** Judges like a read: on the path with every link followed. What is outside the workspace is not shown either. */
export function judgedPaths(call: CallScope, files: Pick<FileReader, "locate">): JudgePath {
  const verdicts = new Map<string, Promise<boolean>>()
  return (path) => {
    const known = verdicts.get(path)
    if (known) return known
    const verdict = judge(call, files, path)
    verdicts.set(path, verdict)
    return verdict
  }
}

async function judge(call: CallScope, files: Pick<FileReader, "locate">, path: string): Promise<boolean> {
  try {
    return call.grant.admits("fs.read", (await files.locate(path)).resolved)
  } catch {
    return false
  }
}
