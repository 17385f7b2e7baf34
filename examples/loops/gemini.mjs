import { createHaft } from "haft"

const base = process.env.GEMINI_BASE_URL ?? "https://generativelanguage.googleapis.com/v1beta"
const haft = await createHaft({ roots: ["."] })
const session = await haft.openSession()
const tools = [{ functionDeclarations: session.tools({ format: "gemini" }) }]
const contents = [{ role: "user", parts: [{ text: "Where is the TODO?" }] }]
for (;;) {
  const reply = await fetch(`${base}/models/gemini-2.5-pro:streamGenerateContent?alt=sse`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": process.env.GEMINI_API_KEY },
    body: JSON.stringify({ contents, tools }),
  })
  const events = (await reply.text()).split("\n").filter((line) => line.startsWith("data: "))
  const parts = events.flatMap((line) => JSON.parse(line.slice(6)).candidates?.[0]?.content?.parts ?? [])
  contents.push({ role: "model", parts })
  const calls = parts.filter((part) => part.functionCall)
  if (calls.length === 0) break
  const results = calls.map(async ({ functionCall: { id, name, args } }) => {
    const { type, text } = await session.call(name, args, { fromModel: true })
    return { functionResponse: { id, name, response: { [type]: text } } }
  })
  contents.push({ role: "user", parts: await Promise.all(results) })
}
console.log(
  contents
    .at(-1)
    .parts.map((part) => part.text ?? "")
    .join(""),
)
await haft.close()
