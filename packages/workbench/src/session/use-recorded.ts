import type { CallView } from "@haft/contract"
import { useEffect, useState } from "react"
import { api } from "../api/client.js"
import { recordedCall } from "./recorded-call.js"

// What is in sight of a conversation, many times over.
const maxKept = 200
const kept = new Map<string, CallView>()

/** A call of the stream with what only the journal has about it: what the model read, what faces know. */
export function useWholeCall(call: CallView, session: string): CallView {
  const key = call.endedAt === undefined ? undefined : `${session} ${call.id} ${call.endedAt}`
  const [, setCount] = useState(0)
  useEffect(() => {
    if (key === undefined || kept.has(key)) return
    const controller = new AbortController()
    api.recorded(session, call.id, controller.signal).then(
      (record) => {
        keep(key, recordedCall(record))
        setCount((count) => count + 1)
      },
      // What the stream sent is enough to draw it.
      () => undefined,
    )
    return () => controller.abort()
  }, [key, session, call.id])
  const known = key === undefined ? undefined : kept.get(key)
  if (!known) return call
  const { replayed: _replayed, ...whole } = known
  return { ...call, ...whole }
}

function keep(key: string, call: CallView): void {
  kept.set(key, call)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}
