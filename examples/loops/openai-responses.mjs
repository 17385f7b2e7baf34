import { createHaft } from "haft"
import OpenAI from "openai"

const client = new OpenAI()
const haft = await createHaft({ roots: ["."] })
const session = await haft.openSession()
const tools = session.tools({ format: "openai-responses-strict" })
const executor = session.executor()
const input = [{ role: "user", content: "Where is the TODO?" }]
for (;;) {
  const reply = await client.responses.stream({ model: "gpt-5", input, tools, store: false }).finalResponse()
  input.push(...reply.output)
  const calls = reply.output.filter((item) => item.type === "function_call")
  if (calls.length === 0) break
  const results = calls.map(async ({ call_id, name, arguments: json }) => {
    const output = await executor.execute(name, json).catch((error) => `Error: ${error.message}`)
    return { type: "function_call_output", call_id, output }
  })
  input.push(...(await Promise.all(results)))
}
console.log(
  input
    .at(-1)
    .content.map((part) => part.text ?? "")
    .join(""),
)
await haft.close()
