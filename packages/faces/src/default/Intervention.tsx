import type { InterventionProps } from "@haft/contract"
import { ArgumentsEditor } from "../part/ArgumentsEditor.js"
import { Preview } from "../part/Preview.js"
import { QuestionForm } from "../part/QuestionForm.js"

/** What the call would do, and its arguments, which a person may change; the questions, where the call asks some. */
export function Intervention({ args, request, questions, interactionMode, ...actions }: InterventionProps) {
  if (interactionMode === "custom" && questions) {
    return <QuestionForm questions={questions} onAction={actions.onInteractionAction} />
  }
  return (
    <>
      {request?.preview && <Preview preview={request.preview} />}
      <ArgumentsEditor args={args} onChange={actions.onArgsChange} />
    </>
  )
}
