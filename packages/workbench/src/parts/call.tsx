import type { ApiTool, AskAnswer, CallView, InteractionAction } from "@haft/contract"
import { CallCard, type FaceTool, useFaceTool } from "@haft/faces"
import { lazy, Suspense, useMemo, useState } from "react"
import { api } from "../api/client.js"
import { useKnown } from "../app/workspace.js"
import { useOverview } from "../session/overview.js"
import { AnswerKeys } from "./answer-keys.js"

const CallPage = lazy(() => import("./call-page.js"))

/** One call with the faces of its tool; what waits can be answered here. */
export function Call(props: { call: CallView; session: string | undefined; folded?: boolean }) {
  const { call, session, folded = false } = props
  const [isWhole, setWhole] = useState(false)
  const tool = useCallTool(call.tool)
  const ask = useOverview().asks.find((waiting) => waiting.call === call.id)
  const actions = ask && answering(ask.id)
  const card = (
    <CallCard
      call={call}
      tool={tool}
      defaultOpen={!folded}
      {...actions}
      {...(call.endedAt !== undefined && { onOpen: () => setWhole(true) })}
      {...(session !== undefined && { onStop: () => void api.abort(session, { callId: call.id }) })}
    />
  )
  return (
    <>
      {ask && actions && call.request ? (
        // A second ask about the same call is drawn anew: what was changed for the first one is in it already.
        <AnswerKeys key={ask.id} offers={call.request.offers} answer={actions.onAnswer}>
          {card}
        </AnswerKeys>
      ) : (
        card
      )}
      {isWhole && (
        <Suspense>
          <CallPage call={call} tool={tool} close={() => setWhole(false)} />
        </Suspense>
      )}
    </>
  )
}

/** How calls of this tool are drawn; tools of servers and recordings have the default faces. */
export function useCallTool(id: string): FaceTool {
  const { tools } = useKnown()
  const list = tools.at === "ready" ? tools.value : undefined
  const load = useMemo(() => loaderOf(list ?? []), [list])
  return useFaceTool(id, load, foreignTool(list?.find((tool) => tool.id === id)))
}

const loaders = new WeakMap<readonly ApiTool[], (id: string) => Promise<FaceTool | undefined>>()

function loaderOf(tools: readonly ApiTool[]): (id: string) => Promise<FaceTool | undefined> {
  const known = loaders.get(tools)
  if (known) return known
  const load = async (id: string) => {
    const { builtinFaceTool } = await import("../session/face-tools.js")
    return (await builtinFaceTool(id)) ?? foreignTool(tools.find((tool) => tool.id === id))
  }
  loaders.set(tools, load)
  return load
}

function foreignTool(tool: ApiTool | undefined): FaceTool | undefined {
  return tool && { id: tool.id, title: tool.title, kind: tool.kind, messages: tool.messages }
}

/** Answers of a person, as the server takes them. */
export function answering(ask: string) {
  return {
    onAnswer: async (answer: AskAnswer) => {
      await api.answer(ask, answer.answer === "edit" ? { answer: "edit", args: answer.arguments } : answer)
    },
    onInteraction: async (action: InteractionAction) => {
      await api.answer(ask, action.type === "submit" ? { answers: answersOf(action.payload) } : { answer: "reject" })
    },
  }
}

function answersOf(payload: unknown): readonly (readonly string[])[] {
  const answers = (payload as { answers?: unknown } | undefined)?.answers ?? payload
  return Array.isArray(answers) ? (answers as string[][]) : []
}
