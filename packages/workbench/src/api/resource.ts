import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import type { RequestError } from "./request.js"

/** Something that is loaded: not there yet, failed, or there. What was there stays while it is loaded again. */
export type Resource<Value> =
  | { readonly at: "loading" }
  | { readonly at: "failed"; readonly error: RequestError }
  | { readonly at: "ready"; readonly value: Value }

/** Loads what the key names and loads it again when the key changes; undefined loads nothing. */
export function useResource<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
): readonly [Resource<Value>, () => void] {
  const [state, setState] = useState<{ key: string | undefined; resource: Resource<Value> }>({
    key,
    resource: { at: "loading" },
  })
  const [round, setRound] = useState(0)
  const version = useSyncExternalStore(watchRefresh, () => refreshes)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is loaded; a new closure is not a new question.
  useEffect(() => {
    if (key === undefined) return
    const controller = new AbortController()
    const keep = (resource: Resource<Value>) => {
      if (!controller.signal.aborted) setState({ key, resource })
    }
    load(controller.signal).then(
      (value) => keep({ at: "ready", value }),
      (error: RequestError) => keep({ at: "failed", error }),
    )
    return () => controller.abort()
  }, [key, round, version])
  const reload = useCallback(() => setRound((count) => count + 1), [])
  return [state.key === key ? state.resource : { at: "loading" }, reload]
}

let refreshes = 0
const watchers = new Set<() => void>()

/** Loads everything again that is on the page: after the server was away, what was shown may be old. */
export function refreshResources(): void {
  refreshes += 1
  for (const changed of watchers) changed()
}

function watchRefresh(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}
