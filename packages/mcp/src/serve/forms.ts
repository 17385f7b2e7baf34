import { type AskAnswer, type AskRequest, type Question, ToolError } from "@haft/contract"
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server"

/** What a client sent back; nothing of it is trusted. */
export interface FormAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Readonly<Record<string, unknown>>
}

/** What a person can answer to a permission question. Nothing lasts longer than the session: a client may answer by itself. */
export const formAnswers = ["once", "session", "reject"] as const

type Properties = ElicitRequestFormParams["requestedSchema"]["properties"]

/** The form for a permission question. */
export function askForm({ proposal, offers }: AskRequest, words: string): ElicitRequestFormParams {
  const keeps = offers.includes("session") && proposal !== undefined
  const { permission = "", pattern } = proposal?.rule ?? {}
  const meanings = [
    "once: run this call",
    ...(keeps
      ? [
          `session: also every other ${pattern === undefined ? permission : `${permission}(${pattern})`} until this session ends`,
        ]
      : []),
    "reject: do not run it",
  ]
  return {
    mode: "form",
    message: words,
    requestedSchema: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          title: "May it run?",
          description: meanings.join("; "),
          enum: formAnswers.filter((answer) => keeps || answer !== "session"),
        },
        reason: { type: "string", title: "Reason", description: "Said to the model when you reject", maxLength: 1000 },
      },
      required: ["answer"],
    },
  }
}

/** The answer to a permission question; whatever is not plainly a yes is a no. */
export function askAnswer({ action, content = {} }: FormAnswer): AskAnswer {
  const { answer, reason } = content
  if (action === "accept" && (answer === "once" || answer === "session")) return { answer }
  if (action === "accept" && typeof reason === "string" && reason !== "") return { answer: "reject", reason }
  return { answer: "reject" }
}

/** The form for questions of a tool: a property for each, and one for words of the person's own where there is a choice. */
export function questionForm(questions: readonly Question[]): ElicitRequestFormParams {
  const properties: Properties = {}
  for (const [index, question] of questions.entries()) Object.assign(properties, fieldsOf(question, index))
  const message = questions.map(({ question }) => question).join("\n")
  return { mode: "form", message, requestedSchema: { type: "object", properties } }
}

function fieldsOf({ question, header, options = [], multi_select }: Question, index: number): Properties {
  const [key, other] = keysOf(index)
  const labels = [...new Set(options.map(({ label }) => label))]
  const described = options.flatMap(({ label, description }) => (description ? [`${label}: ${description}`] : []))
  const about = { title: header ?? question, description: [question, ...described].join("\n") }
  if (labels.length === 0) return { [key]: { type: "string", ...about } }
  return {
    [key]: multi_select
      ? { type: "array", ...about, items: { type: "string", enum: labels } }
      : { type: "string", ...about, enum: labels },
    [other]: { type: "string", title: `${about.title}: something else`, description: "Instead of the choices above" },
  }
}

/** The answers to questions, one list for each. A person who does not answer has decided nothing. */
export function questionAnswers(
  questions: readonly Question[],
  { action, content = {} }: FormAnswer,
): readonly (readonly string[])[] {
  if (action !== "accept") {
    throw new ToolError("denied", "Cannot go on with the question: the person did not want to answer", {
      hint: "Continue with your best assumption and say which one you made",
    })
  }
  return questions.map((_question, index) => {
    const [key, other] = keysOf(index)
    const own = content[other]
    if (typeof own === "string" && own.trim() !== "") return [own]
    const given = content[key]
    return (Array.isArray(given) ? given : [given]).filter((each): each is string => typeof each === "string")
  })
}

function keysOf(index: number): [string, string] {
  return [`answer_${index + 1}`, `other_${index + 1}`]
}
