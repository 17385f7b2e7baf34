import type { ApiOverview } from "@haft/contract"
import { useSyncExternalStore } from "react"
import { overviewTopic, streams } from "../api/client.js"

const nothing: ApiOverview = { asks: [], open: [] }
let current = nothing
const readers = new Set<() => void>()
let isSubscribed = false

/** What waits for the person in any session, and the sessions that are open. */
export function useOverview(): ApiOverview {
  return useSyncExternalStore(watch, () => current)
}

function watch(changed: () => void): () => void {
  readers.add(changed)
  if (!isSubscribed) {
    isSubscribed = true
    streams.subscribe(overviewTopic, {
      frame: ({ data }) => {
        current = { ...nothing, ...(data as ApiOverview) }
        for (const reader of readers) reader()
      },
    })
  }
  return () => readers.delete(changed)
}
