import type { LanguageModelV3, LanguageModelV3Message } from "@ai-sdk/provider"
import { withBreakpoints } from "./prompt-cache.js"

/** The messages as this model takes them: its package may know no files in results, a later form of them, or need marks. */
export function promptFor(
  { specificationVersion, provider }: LanguageModelV3,
  prompt: LanguageModelV3Message[],
): LanguageModelV3Message[] {
  // Packages for Chat Completions write a result with a file as JSON, and the model would read base64 as text.
  const isChat = provider.endsWith(".chat") && !provider.startsWith("google")
  // Others find by themselves what they have read before.
  const needsMarks = provider.includes("anthropic")
  const fitted = isChat ? prompt.map(withoutResultFiles) : needsMarks ? withBreakpoints(prompt) : prompt
  // Compared as a text: the types here are those of version 3.
  return String(specificationVersion) === "v4" ? (fitted.map(version4) as LanguageModelV3Message[]) : fitted
}

type ToolMessage = Extract<LanguageModelV3Message, { role: "tool" }>
type ToolOutput = Extract<ToolMessage["content"][number], { type: "tool-result" }>["output"]
type ResultPart = Extract<ToolOutput, { type: "content" }>["value"][number]

const notShown = "(The image is not shown: the API of this model takes none in the result of a call)"

function withoutResultFiles(message: LanguageModelV3Message): LanguageModelV3Message {
  return withOutputs(message, (parts) => {
    const texts = parts.map((part) => (part.type === "text" ? part.text : notShown))
    return { type: "text", value: texts.join("\n") }
  })
}

/** Files have a tag in version 4 of the AI SDK's models, and are one type in results. */
function version4(message: LanguageModelV3Message): unknown {
  if (message.role === "user" || message.role === "assistant") {
    const content = message.content as readonly { readonly type: string; readonly data?: unknown }[]
    return { ...message, content: content.map((part) => (part.type === "file" ? tagged(part) : part)) }
  }
  return withOutputs(message, (parts) => {
    const value = parts.map((part) => (part.type === "image-data" ? { ...tagged(part), type: "file" } : part))
    return { type: "content", value: value as ResultPart[] }
  })
}

function tagged<Part extends { readonly data?: unknown }>(part: Part) {
  const data = part.data instanceof URL ? { type: "url", url: part.data } : { type: "data", data: part.data }
  return { ...part, data }
}

function withOutputs(
  message: LanguageModelV3Message,
  change: (parts: readonly ResultPart[]) => ToolOutput,
): LanguageModelV3Message {
  if (message.role !== "tool") return message
  const content = message.content.map((part) =>
    part.type === "tool-result" && part.output.type === "content"
      ? { ...part, output: change(part.output.value) }
      : part,
  )
  return { ...message, content }
}
