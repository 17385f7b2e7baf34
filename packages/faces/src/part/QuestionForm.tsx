import type { InteractionAction, Question } from "@haft/contract"
import { type ReactNode, useId, useState } from "react"
import { useSay } from "../words/say.js"
import { Button } from "./Button.js"
import { Markdown } from "./Markdown.js"
import { PlainText } from "./PlainText.js"

interface QuestionFormProps {
  readonly questions: readonly Question[]
  readonly onAction?: ((action: InteractionAction) => void | Promise<void>) | undefined
}

interface Draft {
  readonly chosen: readonly string[]
  readonly other: string
}

const noDraft: Draft = { chosen: [], other: "" }

/** Questions to a person: one tab each, several choices where that is allowed, free words, and a review before they are sent. */
export function QuestionForm({ questions, onAction }: QuestionFormProps) {
  const say = useSay()
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const [at, setAt] = useState(0)
  const [sent, setSent] = useState(false)
  const id = useId()
  const answers = questions.map((_, index) => answersOf(drafts[index] ?? noDraft))
  const isReview = at === questions.length && questions.length > 1
  const change = (draft: Draft) =>
    setDrafts(questions.map((_, index) => (index === at ? draft : (drafts[index] ?? noDraft))))
  const act = async (action: InteractionAction) => {
    setSent(true)
    await Promise.resolve(onAction?.(action)).finally(() => setSent(false))
  }
  return (
    <form
      className="haft-question"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReview && questions.length > 1) setAt(at + 1)
        else void act({ type: "submit", payload: answers })
      }}
    >
      {questions.length > 1 && <Tabs id={id} questions={questions} answers={answers} at={at} onChange={setAt} />}
      <Panel id={id} at={at} isTab={questions.length > 1}>
        {isReview ? (
          <Review questions={questions} answers={answers} />
        ) : (
          <QuestionFields key={at} question={questions[at]} draft={drafts[at] ?? noDraft} onChange={change} />
        )}
      </Panel>
      {onAction && (
        <div className="haft-answers">
          <Button look="accent" submits disabled={sent}>
            {say(!isReview && questions.length > 1 ? "next" : "submitAnswers")}
          </Button>
          {at > 0 && <Button onClick={() => setAt(at - 1)}>{say("back")}</Button>}
          <Button disabled={sent} onClick={() => void act({ type: "skip" })}>
            {say("skipQuestion")}
          </Button>
        </div>
      )}
    </form>
  )
}

function Panel({ id, at, isTab, children }: { id: string; at: number; isTab: boolean; children: ReactNode }) {
  if (!isTab) return children
  return (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`}>
      {children}
    </div>
  )
}

function answersOf({ chosen, other }: Draft): readonly string[] {
  return other.trim() === "" ? chosen : [...chosen, other.trim()]
}

interface TabsProps {
  readonly id: string
  readonly questions: readonly Question[]
  readonly answers: readonly (readonly string[])[]
  readonly at: number
  readonly onChange: (at: number) => void
}

function Tabs({ id, questions, answers, at, onChange }: TabsProps) {
  const say = useSay()
  const names = [
    ...questions.map(({ header }, index) => header ?? say("questionOf", { n: index + 1, all: questions.length })),
    say("review"),
  ]
  return (
    <div className="haft-tabs" role="tablist" aria-label={say("question")}>
      {names.map((name, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have one header.
          key={index}
          id={`${id}-${index}`}
          type="button"
          role="tab"
          aria-selected={index === at}
          aria-controls={`${id}-panel`}
          tabIndex={index === at ? 0 : -1}
          onClick={() => onChange(index)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
            if (step === undefined) return
            const next = (index + step + names.length) % names.length
            onChange(next)
            event.currentTarget.parentElement?.querySelectorAll("button")[next]?.focus()
          }}
        >
          {(answers[index]?.length ?? 0) > 0 && <span aria-hidden>✓ </span>}
          <PlainText text={name} max={60} />
        </button>
      ))}
    </div>
  )
}

interface QuestionFieldsProps {
  readonly question: Question | undefined
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

function QuestionFields({ question, draft, onChange }: QuestionFieldsProps) {
  const say = useSay()
  const id = useId()
  const options = Array.isArray(question?.options) ? question.options : []
  const isMany = question?.multi_select === true
  const choose = (label: string, isChosen: boolean) => {
    const others = isMany ? draft.chosen.filter((each) => each !== label) : []
    onChange({ ...draft, chosen: isChosen ? [...others, label] : others })
  }
  return (
    <fieldset className="haft-question-fields">
      <legend>
        <Markdown text={String(question?.question ?? "")} />
      </legend>
      {options.length > 0 && <p className="haft-dim">{say(isMany ? "chooseSeveral" : "chooseOne")}</p>}
      {options.map(({ label, description }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two options may have one label.
        <label key={index} className="haft-option">
          <input
            type={isMany ? "checkbox" : "radio"}
            name={id}
            checked={draft.chosen.includes(label)}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span>
            <PlainText text={String(label)} />
            {description !== undefined && (
              <span className="haft-dim">
                {" "}
                <PlainText text={String(description)} />
              </span>
            )}
          </span>
        </label>
      ))}
      <label className="haft-field">
        <span>{say(options.length > 0 ? "otherAnswer" : "yourAnswer")}</span>
        <input
          value={draft.other}
          onChange={(event) =>
            onChange({ chosen: isMany || event.target.value === "" ? draft.chosen : [], other: event.target.value })
          }
        />
      </label>
    </fieldset>
  )
}

/** Questions with what was answered. */
export function Review({ questions, answers }: Pick<TabsProps, "questions" | "answers">) {
  const say = useSay()
  return (
    <dl className="haft-facts">
      {questions.map(({ question }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be the same.
        <div key={index}>
          <dt>
            <PlainText text={String(question)} />
          </dt>
          <dd>
            {answers[index] === undefined || answers[index].length === 0 ? (
              <span className="haft-dim">{say("unanswered")}</span>
            ) : (
              <strong>
                <PlainText text={answers[index].join(", ")} />
              </strong>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
