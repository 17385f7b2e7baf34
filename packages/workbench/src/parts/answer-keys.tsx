import type { AskAnswer } from "@haft/contract"
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react"
import { isTyping } from "../app/keys.js"
import { useWords } from "../words/words.js"
import { answerWords } from "./answer.words.js"
import classes from "./answer-keys.module.css"

/** The letters that answer an ask. */
export const letters = { y: "once", a: "accept-edits", s: "session", p: "project", n: "reject" } as const
// What was typed before the question was there is not an answer to it.
const quietMs = 250

/** Letters answer an ask while the focus is inside of it; they are the same as in the terminal. */
export function AnswerKeys(props: {
  offers: readonly AskAnswer["answer"][]
  answer: (answer: AskAnswer) => Promise<void>
  children: ReactNode
}) {
  const words = useWords(answerWords)
  const shownAt = useRef(0)
  const lastKeyAt = useRef(0)
  useEffect(() => {
    shownAt.current = performance.now()
  }, [])
  const press = (event: KeyboardEvent) => {
    const isEarly = event.timeStamp - Math.max(shownAt.current, lastKeyAt.current) < quietMs
    lastKeyAt.current = event.timeStamp
    if (isEarly || isTyping(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
    const answer = letters[event.key as keyof typeof letters]
    if (answer === undefined || !(answer === "reject" || props.offers.includes(answer))) return
    event.preventDefault()
    void props.answer({ answer })
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: one key brings the focus here.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot get the focus, and letters answer from here.
    <div className={classes.ask} tabIndex={0} data-ask role="group" aria-label={words.group} onKeyDown={press}>
      {props.children}
      <p className={classes.keys}>
        {Object.entries(letters)
          .filter(([, answer]) => answer === "reject" || props.offers.includes(answer))
          .map(([letter, answer]) => (
            <span key={letter}>
              <kbd>{letter}</kbd> {words[answer]}
            </span>
          ))}
      </p>
    </div>
  )
}
