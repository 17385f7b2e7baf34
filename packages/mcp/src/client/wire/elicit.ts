import type { Conversation, Question } from "@haft/contract"
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"

const answerIt = "Answer"
const declineIt = "Decline"
const opened = "Done"

/** Puts a question of a server to the person. The header names the server, so that nobody takes it for Haft's own. */
export async function elicit(
  server: string,
  params: ElicitRequestParams,
  conversation: Pick<Conversation, "question">,
): Promise<ElicitResult> {
  const header = `MCP ${server}`
  if (params.mode === "url") {
    const question = `The MCP server "${server}" asks you to open this address yourself: ${params.url}\n${params.message}`
    const options = [
      { label: opened, description: "I have been there" },
      { label: declineIt, description: "I do not want to" },
    ]
    const [answers] = await conversation.question([{ header, question, options }])
    return { action: answers?.[0] === opened ? "accept" : "decline" }
  }
  const fields = Object.entries(params.requestedSchema.properties) as [string, Field][]
  const required = params.requestedSchema.required ?? []
  const consent: Question = {
    header,
    question: `The MCP server "${server}" asks: ${params.message}`,
    options: [
      { label: answerIt, description: "What you say goes to that server; never tell it a password" },
      { label: declineIt, description: "Tell it nothing" },
    ],
  }
  const asked = [consent, ...fields.map(([name, field]) => questionOf(header, name, field))]
  const [agreed, ...answers] = await conversation.question(asked)
  if (agreed?.[0] !== answerIt) return { action: "decline" }
  const content: Record<string, string | number | boolean | string[]> = {}
  for (const [index, [name, field]] of fields.entries()) {
    const value = answered(field, answers[index] ?? [])
    if (value !== undefined) content[name] = value
    else if (required.includes(name)) return { action: "cancel" }
  }
  return { action: "accept", content }
}

/** The little of JSON Schema that a form of the protocol may use. */
interface Field {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly oneOf?: readonly { readonly const: string; readonly title?: string }[]
  readonly items?: Field & { readonly anyOf?: Field["oneOf"] }
}

function questionOf(header: string, name: string, field: Field): Question {
  const labels = labelsOf(field)
  const question = [field.title ?? name, field.description].filter(Boolean).join(": ")
  return {
    header,
    question,
    ...(labels && { options: labels.map((label) => ({ label })) }),
    ...(field.type === "array" && { multi_select: true }),
  }
}

function labelsOf({ type, enum: values, oneOf, items }: Field): readonly string[] | undefined {
  if (type === "boolean") return ["yes", "no"]
  if (items !== undefined) return labelsOf({ ...items, ...(items.anyOf && { oneOf: items.anyOf }) })
  return oneOf?.map((choice) => choice.const) ?? values
}

function answered(field: Field, answers: readonly string[]): string | number | boolean | string[] | undefined {
  const [first] = answers
  if (field.type === "array") return [...answers]
  if (first === undefined || first === "") return undefined
  if (field.type === "boolean") return /^(yes|true|y|1)$/i.test(first)
  if (field.type === "number" || field.type === "integer") {
    const value = Number(first)
    return Number.isNaN(value) || (field.type === "integer" && !Number.isInteger(value)) ? undefined : value
  }
  return first
}
