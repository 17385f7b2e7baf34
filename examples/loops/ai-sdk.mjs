import { createAnthropic } from "@ai-sdk/anthropic"
import { stepCountIs, streamText } from "ai"
import { createHaft } from "haft"
import { aiTools } from "haft/ai"

const provider = createAnthropic({ baseURL: process.env.AI_SDK_BASE_URL })
const haft = await createHaft({ roots: ["."] })
const { tools } = aiTools(await haft.openSession())
const { textStream } = streamText({
  model: provider("claude-sonnet-4-5"),
  tools,
  stopWhen: stepCountIs(20),
  prompt: "Where is the TODO?",
})
for await (const piece of textStream) process.stdout.write(piece)
await haft.close()
