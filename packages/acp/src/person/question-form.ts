import type { ElicitationContentValue, ElicitationSchema } from "@agentclientprotocol/sdk/unstable"
import type { Question } from "@haft/contract"

/** The questions as one form: a field for each, and one for words of one's own beside a choice. */
export function questionForm(questions: readonly Question[]): ElicitationSchema {
  const fields = questions.flatMap((question, index) => fieldsFor(question, `question_${index + 1}`))
  const open = questions.flatMap(({ options = [] }, index) => (options.length === 0 ? [`question_${index + 1}`] : []))
  return { type: "object", properties: Object.fromEntries(fields), required: open }
}

type Field = NonNullable<ElicitationSchema["properties"]>[string]

function fieldsFor({ question, header, options = [], multi_select }: Question, key: string): [string, Field][] {
  const words = { title: header ?? question, description: question }
  if (options.length === 0) return [[key, { type: "string", ...words, minLength: 1 }]]
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description !== undefined && { description }),
  }))
  const choice: Field = multi_select
    ? { type: "array", ...words, items: { anyOf: choices } }
    : { type: "string", ...words, oneOf: choices }
  return [
    [key, choice],
    [`${key}_other`, { type: "string", title: "Other", description: "In your own words, instead of a choice" }],
  ]
}

/** The answers of a form, one list a question; undefined where one was left empty. */
export function formAnswers(
  questions: readonly Question[],
  content: Readonly<Record<string, ElicitationContentValue>>,
): readonly (readonly string[])[] | undefined {
  const answers = questions.map((_question, index) => {
    const key = `question_${index + 1}`
    const other = content[`${key}_other`]
    const given = typeof other === "string" && other.trim() !== "" ? other : content[key]
    return (Array.isArray(given) ? given : [given]).flatMap((each) =>
      each === undefined || each === null || String(each).trim() === "" ? [] : [String(each)],
    )
  })
  return answers.every((answer) => answer.length > 0) ? answers : undefined
}
