import { countOf, pathOfUri, recordOf } from "../wire/values.js"
import { type Problem, problemsOf } from "./problems.js"

/** Which version is waited for, and how long. */
export interface WaitOptions {
  readonly version: number
  readonly settleMs: number
  readonly signal: AbortSignal
}

// Some servers publish for every file of the project.
const maxPaths = 500

/** What a server published last about each document. A publication without a version could be about any text: it is not kept. */
export class PublishedProblems {
  private readonly last = new Map<string, { readonly version: number; readonly problems: readonly Problem[] }>()
  private readonly listeners = new Set<(path: string) => void>()

  /** Takes the parameters of a `publishDiagnostics` notification. */
  accept(params: unknown): void {
    const { uri, version, diagnostics } = recordOf(params) ?? {}
    const path = pathOfUri(uri)
    const about = countOf(version)
    if (path === undefined || about === undefined) return
    this.last.delete(path)
    this.last.set(path, { version: about, problems: problemsOf(diagnostics) })
    for (const oldest of this.last.keys()) {
      if (this.last.size <= maxPaths) break
      this.last.delete(oldest)
    }
    for (const listener of [...this.listeners]) listener(path)
  }

  /** The problems of exactly this version, once no more have come for a while; undefined when none came in time. */
  wait(path: string, { version, settleMs, signal }: WaitOptions): Promise<readonly Problem[] | undefined> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const current = () => {
        const published = this.last.get(path)
        return published?.version === version ? published.problems : undefined
      }
      const finish = () => {
        clearTimeout(timer)
        this.listeners.delete(onPublish)
        signal.removeEventListener("abort", finish)
        resolve(current())
      }
      const onPublish = (published: string) => {
        if (published !== path || current() === undefined) return
        clearTimeout(timer)
        timer = setTimeout(finish, settleMs)
      }
      if (signal.aborted) return finish()
      signal.addEventListener("abort", finish, { once: true })
      this.listeners.add(onPublish)
      onPublish(path)
    })
  }
}
