import type { AskAnswer, FaceArguments, FaceProps } from "@haft/contract"
import { useRef, useState } from "react"
import { Button } from "../part/Button.js"
import { Note } from "../part/Note.js"
import { Why } from "../part/Why.js"
import { useSay } from "../words/say.js"
import { useSentence } from "../words/sentence.js"
import type { CallProps } from "./CallCard.js"
import { callArguments } from "./face-props.js"
import { OwnFace } from "./OwnFace.js"

/** A call that waits for a person: what it would do, why they are asked, and what can be answered. */
export function Ask({ base, ...props }: CallProps & { readonly base: FaceProps }) {
  const { call, tool, onAnswer, onInteraction } = props
  const say = useSay()
  const sentence = useSentence()
  const { request, questions } = call
  const args = request?.arguments ?? callArguments(call)
  const [edited, setEdited] = useState<FaceArguments>()
  const { answer, sending, problem, register } = useAnswering(onAnswer)
  const isCustom = request === undefined && questions !== undefined
  return (
    // Not modal, and it takes no focus: a person may be writing elsewhere.
    <section
      className="haft-ask"
      role="alertdialog"
      aria-modal={false}
      aria-label={`${say("askTitle")} ${base.words.title}`}
    >
      <OwnFace
        face="Intervention"
        tool={tool}
        props={{
          ...base,
          args,
          interactionMode: isCustom ? "custom" : "approval",
          // The same object means that a person took their changes back.
          onArgsChange: (next) => setEdited(next === args ? undefined : next),
          registerBeforeApprove: register,
          ...(onInteraction && { onInteractionAction: onInteraction }),
          ...(request && { request }),
          ...(questions && { questions }),
        }}
      />
      {edited !== undefined && <Note tone="warn">{say("changedArguments")}</Note>}
      {request && <Why request={request} />}
      {request && onAnswer && <Answers offers={request.offers} edited={edited} sending={sending} answer={answer} />}
      {problem !== undefined && <Note tone="bad">{say("answerFailed", { message: sentence(problem) })}</Note>}
    </section>
  )
}

/** Sends one answer at a time; what a face registered runs before an approval, and can keep it back by a throw. */
function useAnswering(onAnswer: CallProps["onAnswer"]) {
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const before = useRef(new Map<string, () => void | Promise<void>>())
  const register = (id: string, callback: () => void | Promise<void>) => {
    before.current.set(id, callback)
    return () => void before.current.delete(id)
  }
  const answer = async (chosen: AskAnswer) => {
    setSending(true)
    setProblem(undefined)
    try {
      if (chosen.answer !== "reject") for (const callback of before.current.values()) await callback()
      await onAnswer?.(chosen)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setSending(false)
    }
  }
  return { answer, sending, problem, register }
}

interface AnswersProps {
  readonly offers: readonly AskAnswer["answer"][]
  readonly edited: FaceArguments | undefined
  readonly sending: boolean
  readonly answer: (chosen: AskAnswer) => Promise<void>
}

function Answers({ offers, edited, sending, answer }: AnswersProps) {
  const say = useSay()
  const [reason, setReason] = useState("")
  const lasting = offers.filter((offer) => offer === "session" || offer === "project" || offer === "accept-edits")
  return (
    <div className="haft-answers">
      {edited === undefined ? (
        <>
          {offers.includes("once") && (
            <Button look="accent" disabled={sending} onClick={() => answer({ answer: "once" })}>
              {say("answerOnce")}
            </Button>
          )}
          {lasting.map((offer) => (
            <Button key={offer} disabled={sending} onClick={() => answer({ answer: offer })}>
              {say(lastingWords[offer])}
            </Button>
          ))}
        </>
      ) : (
        <Button look="accent" disabled={sending} onClick={() => answer({ answer: "edit", arguments: edited })}>
          {say("answerEdited")}
        </Button>
      )}
      <form
        className="haft-reject"
        onSubmit={(event) => {
          event.preventDefault()
          void answer({ answer: "reject", ...(reason.trim() !== "" && { reason }) })
        }}
      >
        <input
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          placeholder={say("rejectReason")}
          aria-label={say("rejectReason")}
        />
        <Button look="danger" submits disabled={sending}>
          {say("answerReject")}
        </Button>
      </form>
      {sending && <span role="status">{say("sending")}</span>}
    </div>
  )
}

const lastingWords = {
  session: "answerSession",
  project: "answerProject",
  "accept-edits": "answerAccept-edits",
} as const
