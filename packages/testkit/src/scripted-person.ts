import type { AskAnswer, AskRequest, Person, Question } from "@haft/contract"

/** What a scripted person says, in order. */
export interface PersonScript {
  /** An answer, or a function that makes one from the request. */
  readonly asks?: readonly (AskAnswer | ((request: AskRequest) => AskAnswer))[]
  readonly questions?: readonly (readonly (readonly string[])[])[]
}

/** A person who answers from a script and remembers what was asked. */
export interface ScriptedPerson extends Person {
  readonly asked: readonly AskRequest[]
  readonly questioned: readonly (readonly Question[])[]
}

/** Makes a person from a script. A request beyond the end of the script throws, which counts as reject. */
export function scriptedPerson({ asks = [], questions = [] }: PersonScript = {}): ScriptedPerson {
  const asked: AskRequest[] = []
  const questioned: (readonly Question[])[] = []
  return {
    asked,
    questioned,
    async ask(request, signal) {
      signal.throwIfAborted()
      const answer = next(asks, asked.push(request), "ask")
      return typeof answer === "function" ? answer(request) : answer
    },
    async question(list, signal) {
      signal.throwIfAborted()
      return next(questions, questioned.push(list), "question")
    },
  }
}

function next<Answer>(answers: readonly Answer[], count: number, kind: string): Answer {
  const answer = answers[count - 1]
  if (answer === undefined)
    throw new Error(`The script has ${answers.length} answers and this is ${kind} number ${count}`)
  return answer
}
