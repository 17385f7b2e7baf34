import type { Journal, SessionMemory, Todo } from "@haft/contract"
import type { CallSession } from "@haft/runtime"

/** What a session remembers: its todo list is what the newest recorded call of the todo tool left. */
export function sessionMemory(session: CallSession, journal: Journal | undefined): SessionMemory {
  let current: readonly Todo[] | undefined
  return {
    scratchpad: new Map(),
    async recordedCalls(tools) {
      const calls = (await journal?.calls(session.id)) ?? []
      return calls.filter(({ tool }) => tools.includes(tool)).length
    },
    async todos() {
      current ??= await recorded(journal, session.id)
      return current
    },
    setTodos(todos) {
      current = todos
      session.emit({ type: "todo", todos })
    },
  }
}

async function recorded(journal: Journal | undefined, sessionId: string): Promise<readonly Todo[]> {
  const calls = (await journal?.calls(sessionId)) ?? []
  for (const { envelope } of calls.toReversed()) {
    const data = envelope?.type === "output" ? (envelope.data as { todos?: readonly Todo[] }) : undefined
    if (data?.todos) return data.todos
  }
  return []
}
