import type { CallView } from "@haft/contract"
import { createContext, useContext, useEffect, useMemo, useState } from "react"
import { api } from "../api/client.js"
import { useResource } from "../api/resource.js"
import { recordedCall } from "./recorded-call.js"
import type { SessionStore } from "./session-store.js"

type Recorded = ReadonlyMap<string, CallView>

const RecordedContext = createContext<Recorded>(new Map())
const pauseMs = 400
// The record of a long session is read when it rests.
const maxReadWhileBusy = 200

/** Gives what only the journal has about calls of a session (what the model read, what faces know) to what is below. */
export const RecordedProvider = RecordedContext

/** The calls of a session as the journal has them, read again after calls have ended. */
export function useRecorded(store: SessionStore, version: number): Recorded {
  const [wanted, setWanted] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes in place and counts its versions.
  useEffect(() => {
    const ended = store.callList().filter(({ endedAt }) => endedAt !== undefined).length
    const isBusy = store.turn !== undefined && ended > maxReadWhileBusy
    if (ended === 0 || isBusy) return
    const timer = setTimeout(() => setWanted(`${store.session} ${ended}`), pauseMs)
    return () => clearTimeout(timer)
  }, [store, version])
  const [timeline] = useResource(wanted, (signal) => api.timeline(store.session, signal))
  const [last, setLast] = useState(timeline)
  if (timeline.at === "ready" && timeline !== last) setLast(timeline)
  return useMemo(
    () => new Map(last.at === "ready" ? last.value.calls.map((call) => [call.callId, recordedCall(call)]) : []),
    [last],
  )
}

/** A call of the stream with what the journal adds to it. */
export function useWholeCall(call: CallView): CallView {
  const known = useContext(RecordedContext).get(call.id)
  if (!known || call.endedAt === undefined) return call
  const { replayed: _replayed, ...whole } = known
  return { ...call, ...whole }
}
