import { bestEffort, type LanguageItem } from "@haft/contract"
import { judgedPaths } from "./answer/asking.js"
import { type Document, decode, linesOf, readDocument } from "./answer/document.js"
import type { AskOptions } from "./ask.js"
import { specOf } from "./find/server-table.js"
import { maxDocumentBytes } from "./limits.js"
import type { ServerSession } from "./pool/server-session.js"
import { type Problem, problemsOfDocument, showProblems } from "./server/problems.js"

// Of a change that breaks much the first problems are enough.
const maxItems = 20

/** What the look after a write needs. */
export interface AfterWriteOptions extends AskOptions {
  readonly former: FormerTexts
}

/**
 * The problems that a write brought into its file. Undefined when no server for it runs, when it did not answer in time,
 * or when it is not known which problems were there before. Never throws: the write has been done.
 */
export async function afterWrite(
  path: string,
  options: AfterWriteOptions,
): Promise<readonly LanguageItem[] | undefined> {
  const { call, files, table, pool, limits } = options
  const spec = specOf(path, table)
  if (!spec || !pool.serves(spec)) return undefined
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(limits.afterWriteMs)])
  try {
    const { resolved } = await files.locate(path)
    const session = pool.running(spec, resolved)
    if (!session || !(await judgedPaths(call, files)(resolved))) return undefined
    const work = pool.using(session, () =>
      session.inTurn(async () => {
        signal.throwIfAborted()
        return await compare(session, await readDocument(files, path), { ...options, signal })
      }),
    )
    const found = await orLate(work, signal)
    return found && showProblems(found, files.display(resolved)).slice(0, maxItems)
  } catch {
    return undefined
  }
}

async function compare(
  session: ServerSession,
  written: Document,
  options: AfterWriteOptions & { readonly signal: AbortSignal },
) {
  const { call, pool, signal } = options
  const limits = { ...options.limits, scanMs: options.limits.afterWriteMs / 3, freshMs: options.limits.afterWriteMs }
  const denies = (path: string) => call.grant.denies("fs.read", path)
  const state = await session.catchUp({ asked: written.path, denies, limits })
  if (state === "restart") void pool.restart(session)
  if (state !== "current") return undefined
  const before = await problemsBefore(session, written, { ...options, limits })
  session.sync(written.path, written.text)
  const problems = await problemsOfDocument(session.server, written.path, { limits, signal })
  if (!problems) return undefined
  session.remember(written.path, { text: written.text, problems })
  if (before) return newProblems(before, { text: written.text, problems })
  return problems.length === 0 ? [] : undefined
}

/** The problems before the write: of the text that it replaced, among the other files as they are now. */
async function problemsBefore(
  session: ServerSession,
  { path, text }: Document,
  { former, limits, signal }: AfterWriteOptions & { readonly signal: AbortSignal },
): Promise<ProblemsOfText | undefined> {
  const known = session.known(path)
  const isCurrent = known?.world === session.world(path)
  const replaced = former.take(path)
  if (replaced === undefined) return known && isCurrent ? known : undefined
  if (replaced === null) return { text: "", problems: [] }
  const before = decode(replaced)
  if (known && isCurrent && known.text === before) return known
  try {
    session.sync(path, before)
    const problems = await problemsOfDocument(session.server, path, { limits, signal })
    return problems && { text: before, problems }
  } finally {
    // Whatever happens, the server must not go on with a text that is no longer there.
    session.sync(path, text)
  }
}

function orLate<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  void bestEffort("nobody waits for it after the abort", work)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(undefined)
    const onAbort = () => resolve(undefined)
    signal.addEventListener("abort", onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}

export interface ProblemsOfText {
  readonly text: string
  readonly problems: readonly Problem[]
}

/**
 * The errors and warnings that a change brought. A problem is an old one when the same was said before: about a line
 * of the same words if there is one, else about any line, because an edit moves and rewrites lines.
 */
export function newProblems(before: ProblemsOfText, after: ProblemsOfText): readonly Problem[] {
  const linesBefore = linesOf(before.text)
  const linesAfter = linesOf(after.text)
  const old = [...before.problems]
  const take = (isSame: (problem: Problem) => boolean): boolean => {
    const index = old.findIndex(isSame)
    if (index >= 0) old.splice(index, 1)
    return index >= 0
  }
  const words = (lines: readonly string[], { line }: Problem) => (lines[line] ?? "").trim()
  const grave = after.problems.filter(({ severity }) => severity === "error" || severity === "warning")
  const onOtherLines = grave.filter(
    (problem) => !take((known) => isAlike(known, problem) && words(linesBefore, known) === words(linesAfter, problem)),
  )
  return onOtherLines.filter((problem) => !take((known) => isAlike(known, problem)))
}

function isAlike(a: Problem, b: Problem): boolean {
  return a.message === b.message && a.origin === b.origin && a.severity === b.severity
}

const maxFiles = 16

/** What a few files held before they were written, until somebody asks for the problems that the write brought. */
export class FormerTexts {
  private readonly kept = new Map<string, Uint8Array | null>()

  /** Keeps the bytes that a write replaced; null for a new file. The first of several writes counts. */
  keep(path: string, before: Uint8Array | null): void {
    if (this.kept.has(path) || (before !== null && before.length > maxDocumentBytes)) return
    this.kept.set(path, before)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxFiles) break
      this.kept.delete(oldest)
    }
  }

  /** The bytes, once; undefined when none are known. */
  take(path: string): Uint8Array | null | undefined {
    const before = this.kept.get(path)
    this.kept.delete(path)
    return before
  }
}
