import { createHaft } from "haft"
import OpenAI from "openai"

const client = new OpenAI()
const haft = await createHaft({ roots: ["."] })
const session = await haft.openSession()
const tools = session.tools({ format: "openai-strict" })
const executor = session.executor()
const messages = [{ role: "user", content: "Where is the TODO?" }]
for (;;) {
  const stream = client.chat.completions.stream({ model: "gpt-5", messages, tools })
  const { message } = (await stream.finalChatCompletion()).choices[0]
  messages.push(message)
  if (!message.tool_calls?.length) break
  const results = message.tool_calls.map(async ({ id, function: call }) => {
    const text = await executor.execute(call.name, call.arguments).catch((error) => `Error: ${error.message}`)
    return { role: "tool", tool_call_id: id, content: text }
  })
  messages.push(...(await Promise.all(results)))
}
console.log(messages.at(-1).content)
await haft.close()
