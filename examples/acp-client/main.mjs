// A small client of the Agent Client Protocol: it prints what the agent says and does, and allows each edit once.
import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk"

const [program = "haft", ...words] = process.argv.slice(2)
const agent = spawn(program, [...words, "acp"], { stdio: ["pipe", "pipe", "inherit"] })
const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout))

await client({ name: "example" })
  .onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") console.log(update.content.text)
    // The title grows while the model still writes the arguments.
    if (update.sessionUpdate === "tool_call" || (update.sessionUpdate === "tool_call_update" && update.status))
      console.log([update.status, update.title].filter(Boolean).join(": "))
  })
  .onRequest(methods.client.session.requestPermission, ({ params: { toolCall, options } }) => {
    for (const diff of toolCall.content.filter(({ type }) => type === "diff")) console.log(`+ ${diff.newText.trim()}`)
    const { optionId } = options.find(({ kind }) => kind === "allow_once")
    return { outcome: { outcome: "selected", optionId } }
  })
  .connectWith(stream, async (context) => {
    await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
    const { sessionId } = await context.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] })
    const prompt = [{ type: "text", text: "Write a greeting into hello.txt" }]
    const { stopReason } = await context.request(methods.agent.session.prompt, { sessionId, prompt })
    console.log(stopReason)
  })
agent.stdin.end()
