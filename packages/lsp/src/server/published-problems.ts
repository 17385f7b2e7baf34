import { countOf, recordOf } from "../wire/values.js"
import { pathOfUri } from "../wire/values.js"
import { type Problem, problemsOf } from "./problems.js"

/** What a server published about its documents, each with the version that it is about. */
export interface PublishedProblems {
  /** Takes the parameters of a `publishDiagnostics` notification. */
  accept(params: unknown): void
  /** The problems of exactly this version, once no more have come for a while; undefined when none came in time. */
  wait(path: string, options: WaitOptions): Promise<readonly Problem[] | undefined>
}

/** Which version is waited for, and how long. */
export interface WaitOptions {
  readonly version: number
  readonly settleMs: number
  readonly signal: AbortSignal
}

// Some servers publish for every file of the project.
const maxPaths = 500

/** Keeps the last publication of each path. One without a version could be about any text and is not kept. */
export function createPublishedProblems(): PublishedProblems {
  const last = new Map<string, { readonly version: number; readonly problems: readonly Problem[] }>()
  const listeners = new Set<(path: string) => void>()

  return {
    accept(params) {
      const { uri, version, diagnostics } = recordOf(params) ?? {}
      const path = pathOfUri(uri)
      const about = countOf(version)
      if (path === undefined || about === undefined) return
      last.delete(path)
      last.set(path, { version: about, problems: problemsOf(diagnostics) })
      for (const oldest of last.keys()) {
        if (last.size <= maxPaths) break
        last.delete(oldest)
      }
      for (const listener of [...listeners]) listener(path)
    },
    wait: (path, { version, settleMs, signal }) =>
      new Promise((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const current = () => {
          const published = last.get(path)
          return published?.version === version ? published.problems : undefined
        }
        const finish = () => {
          clearTimeout(timer)
          listeners.delete(onPublish)
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
        listeners.add(onPublish)
        onPublish(path)
      }),
  }
}
