import type { SessionMemory, Todo } from "@haft/contract"

/** What a session remembers, kept in the test. */
export function fakeMemory(initial: readonly Todo[] = []): SessionMemory {
  let todos = initial
  return {
    scratchpad: new Map(),
    recordedCalls: async () => 0,
    todos: async () => todos,
    setTodos(replaced) {
      todos = replaced
    },
  }
}
