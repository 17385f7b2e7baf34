import type { InterventionProps, Question, StreamingProps } from "@haft/contract"
import { listAt, Markdown, Preview, QuestionForm, type ResultProps, Review, textAt, textsAt } from "@haft/faces"

/** The questions as they are written; nothing can be answered yet. */
export function QuestionStreaming({ args }: StreamingProps) {
  const questions = questionsIn(args)
  return questions.length === 0 ? null : <QuestionForm questions={questions} />
}

/** The question itself: answering is what the call waits for. */
export function QuestionIntervention({ args, questions, request, onInteractionAction }: InterventionProps) {
  const asked = questions ?? questionsIn(args)
  if (request?.preview) return <Preview preview={request.preview} />
  return <QuestionForm questions={asked} {...(questions && { onAction: onInteractionAction })} />
}

export function QuestionResult({ args, data }: ResultProps) {
  const answers = listAt(data, "answers").map((each) => textsAt({ each }, "each"))
  return <Review questions={questionsIn(args)} answers={answers} />
}

/** Questions in arguments that may not be whole. */
function questionsIn(args: unknown): readonly Question[] {
  return listAt(args, "questions").map((each) => ({
    question: textAt(each, "question") ?? "",
    ...(textAt(each, "header") !== undefined && { header: textAt(each, "header")! }),
    multi_select: (each as { multi_select?: unknown } | null)?.multi_select === true,
    options: listAt(each, "options").flatMap((option) => {
      const [label, description] = [textAt(option, "label"), textAt(option, "description")]
      return label === undefined ? [] : [{ label, ...(description !== undefined && { description }) }]
    }),
  }))
}

/** A plan before anything is done: its text, as it is written and afterwards. */
export function PlanStreaming({ args }: StreamingProps) {
  const plan = textAt(args, "plan")
  return plan === undefined ? null : <Markdown text={plan} />
}

export function PlanIntervention({ args, questions, onInteractionAction }: InterventionProps) {
  return (
    <>
      <Markdown text={textAt(args, "plan") ?? ""} />
      {questions && <QuestionForm questions={questions} onAction={onInteractionAction} />}
    </>
  )
}

export function PlanResult({ args }: ResultProps) {
  return <Markdown text={textAt(args, "plan") ?? ""} />
}
