import type { TurnInput, TurnOutcome, TurnPort } from "@haft/contract"
import { type CallHost, runCalls } from "./calls.js"
import { type ContextHost, makeRoom, needsRoom } from "./context.js"
import { type Conversation, stepKeys } from "./conversation.js"
import { askModel, type ModelHost, tellReply } from "./reply.js"
import type { TurnState } from "./turn-state.js"

/** What a turn works with. */
export interface TurnHost extends ModelHost, CallHost, ContextHost {
  /** The system prompt of a session that has none yet. */
  readonly systemPrompt: () => Promise<string>
}

/**
 * One turn: the model replies, its calls run, it reads the results and replies again, until it has no more calls. A function
 * of its input and the port alone: what touches the world happens in steps.
 */
export async function runTurn(
  port: TurnPort,
  input: TurnInput,
  conversation: Conversation,
  turn: TurnState,
  host: TurnHost,
): Promise<TurnOutcome> {
  const { isTimed } = turn
  if (isTimed) turn.begin(await port.now())
  conversation.prompt ??= (await port.step(stepKeys.prompt, host.systemPrompt)) as string
  conversation.add({ role: "user", id: port.turnId, input })
  for (let step = 1; ; step += 1) {
    const limit = turn.limitReached(isTimed ? await port.now() : 0)
    if (limit) return turn.end("limit", limit)

    // 1 room in the context, 2 a reply of the model
    if (needsRoom(conversation, host)) {
      const room = await makeRoom(port, step, conversation, host)
      turn.spend(room.usage)
      if (room.full) return turn.end("model-error", room.full)
    }
    const replied = await askModel(port, step, conversation, host)
    if (!replied.ok) {
      // Once more with a shorter conversation: of many models nobody knows how much they read.
      if (replied.failure.kind === "context_length" && conversation.refuse()) continue
      return turn.failed(replied)
    }
    tellReply(port, step, replied, host)
    turn.take(replied)
    const id = `${port.turnId}/${stepKeys.reply(step)}`
    conversation.add({ role: "reply", id, reply: replied })
    if (replied.calls.length === 0) return turn.finish(replied)

    // 3 its calls, 4 their results
    const results = await runCalls(port, step, replied.calls, host, turn)
    conversation.add({ role: "results", id: `${id}/results`, results })
    if (turn.repeats(replied, results, host)) return turn.loops()
  }
}
