import type { Duplex } from "node:stream"
import { ToolError } from "@haft/contract"

/** Talks to the monitor of a machine, one command at a time. */
export interface Monitor {
  execute(command: string, values?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
}

// The answers that matter are short.
const mostBytes = 1024 * 1024

/** Opens the monitor: waits for its greeting and leaves its set-up mode. */
export async function openMonitor(stream: Duplex): Promise<Monitor> {
  const answers = createAnswers(stream)
  await answers.next((message) => "QMP" in message)
  const execute: Monitor["execute"] = async (command, values) => {
    stream.write(`${JSON.stringify({ execute: command, ...(values && { arguments: values }) })}\n`)
    const answer = await answers.next((message) => "return" in message || "error" in message)
    if ("error" in answer) {
      const words = (answer.error as { desc?: string }).desc ?? "no reason given"
      throw new ToolError("backend", `Cannot tell the machine to "${command}": ${words}`)
    }
    return answer.return as Readonly<Record<string, unknown>>
  }
  await execute("qmp_capabilities")
  return { execute }
}

type Message = Readonly<Record<string, unknown>>

/** Messages in the order of their coming; events that nobody waits for are passed over. */
function createAnswers(stream: Duplex) {
  const messages: Message[] = []
  let text = ""
  let failure: ToolError | undefined
  let wake: () => void = () => undefined
  const fail = (reason: string): void => {
    failure ??= new ToolError("backend", `Cannot talk to the machine: ${reason}`)
    wake()
  }
  stream.on("data", (piece: Buffer) => {
    text += piece.toString("utf8")
    if (text.length > mostBytes) return fail("it says too much")
    const lines = text.split("\n")
    text = lines.pop()!
    try {
      for (const line of lines) if (line.trim()) messages.push(JSON.parse(line) as Message)
    } catch {
      fail("it does not speak JSON")
    }
    wake()
  })
  stream.on("close", () => fail("it is gone"))
  return {
    async next(wanted: (message: Message) => boolean): Promise<Message> {
      for (;;) {
        const message = messages.shift()
        if (message && wanted(message)) return message
        if (message) continue
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
