/** One line of the session's todo list. */
export interface Todo {
  readonly content: string
  readonly status: "pending" | "in_progress" | "completed" | "cancelled"
  readonly active_form?: string | undefined
}

/** What a session remembers between calls. */
export interface SessionMemory {
  todos(): Promise<readonly Todo[]>
  setTodos(todos: readonly Todo[]): void
  /** How many calls of these tools earlier processes recorded in this session. */
  recordedCalls(tools: readonly string[]): Promise<number>
  /** State that tools of one family keep between calls of a session, each family under its own name; gone with the process. */
  readonly scratchpad: Map<string, unknown>
}
