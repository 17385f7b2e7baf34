import Anthropic from "@anthropic-ai/sdk"
import { createHaft } from "haft"

const client = new Anthropic()
const haft = await createHaft({ roots: ["."] })
const session = await haft.openSession()
const tools = session.tools({ format: "anthropic" })
const messages = [{ role: "user", content: "Where is the TODO?" }]
for (;;) {
  const request = { model: "claude-sonnet-4-5", max_tokens: 4096, messages, tools }
  const reply = await client.messages.stream(request).finalMessage()
  messages.push({ role: "assistant", content: reply.content })
  const calls = reply.content.filter((part) => part.type === "tool_use")
  if (calls.length === 0) break
  const results = calls.map(async ({ id, name, input }) => {
    const { type, text } = await session.call(name, input, { fromModel: true })
    return { type: "tool_result", tool_use_id: id, content: text, is_error: type === "error" }
  })
  messages.push({ role: "user", content: await Promise.all(results) })
}
console.log(
  messages
    .at(-1)
    .content.map((part) => part.text ?? "")
    .join(""),
)
await haft.close()
