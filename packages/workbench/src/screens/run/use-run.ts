import type { ApiCallResult, CallView, SessionEvent } from "@haft/contract"
import { endedCall } from "@haft/faces"
import { useEffect, useRef, useState } from "react"
import { api, sessionTopic, streams } from "../../api/client.js"
import type { Frame } from "../../api/read-frames.js"
import type { RequestError } from "../../api/request.js"
import { ownSession } from "../../session/own-session.js"
import { SessionStore } from "../../session/session-store.js"

/** One run of a tool from the form. */
export interface Run {
  readonly session?: string
  readonly callId?: string
  /** The call as it is now: from its events while it runs, then from its answer. */
  readonly call?: CallView
  readonly result?: ApiCallResult
  readonly error?: RequestError
  readonly events: readonly SessionEvent[]
  readonly isRunning: boolean
  readonly start: (args: unknown) => Promise<void>
  readonly stop: () => void
}

interface State {
  session?: string
  callId?: string
  /** From its answer. */
  call?: CallView
  /** From its events. */
  live?: CallView
  result?: ApiCallResult
  error?: RequestError
  events: readonly SessionEvent[]
  isRunning: boolean
}

const maxEvents = 500

/** Runs a tool in this browser's session and follows it; a new run takes the place of the last one. */
export function useRun(tool: string): Run {
  const [state, setState] = useState<State>({ events: [], isRunning: false })
  const unsubscribe = useRef<() => void>(undefined)
  useEffect(() => () => unsubscribe.current?.(), [])
  const start = async (args: unknown) => {
    const callId = `call_${crypto.randomUUID().replaceAll("-", "")}`
    unsubscribe.current?.()
    setState({ callId, events: [], isRunning: true })
    const change = (changes: Partial<State>) =>
      setState((now) => (now.callId === callId ? { ...now, ...changes } : now))
    try {
      const session = await ownSession()
      change({ session })
      unsubscribe.current = follow(session, callId, change)
      const result = await api.call(session, { tool, args, callId })
      change({ result, isRunning: false, call: callOf(result, tool, args) })
    } catch (error) {
      change({ error: error as RequestError, isRunning: false })
    }
  }
  const stop = () => {
    if (state.session !== undefined) void api.abort(state.session, { callId: state.callId! })
  }
  // The answer of the call may come before the last of its events, and says more than they do.
  const call = state.call ?? state.live
  return { ...state, ...(call && { call }), start, stop }
}

function follow(session: string, callId: string, change: (changes: Partial<State>) => void): () => void {
  const store = new SessionStore(session)
  const events: SessionEvent[] = []
  let isDrawn = true
  const frame = ({ event, data }: Frame) => {
    const happened = data as SessionEvent
    if (event !== "event" || !("call" in happened) || happened.call !== callId) return
    store.apply(happened)
    if (events.length < maxEvents) events.push(happened)
    if (!isDrawn) return
    isDrawn = false
    setTimeout(() => {
      isDrawn = true
      const call = store.calls.get(callId)
      change({ events: [...events], ...(call && { live: call }) })
    }, 32)
  }
  // The call is new: what happened before it is not read again.
  return streams.subscribe(sessionTopic(session), { frame }, "cursor")
}

function callOf(result: ApiCallResult, tool: string, args: unknown): CallView {
  const { callId, envelope, model, state, attachments } = result
  return {
    id: callId,
    tool,
    arguments: args,
    ...endedCall(envelope),
    endedAt: Date.now(),
    model,
    attachments,
    ...(state !== undefined && { details: state }),
  }
}
