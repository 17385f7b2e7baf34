import type { SessionMemory } from "@haft/contract"

/** State that the searches of a session share, made when it is first asked for. */
export function sessionState<State>(memory: SessionMemory, name: string, create: () => State): State {
  const kept = memory.scratchpad.get(name) as State | undefined
  if (kept !== undefined) return kept
  const state = create()
  memory.scratchpad.set(name, state)
  return state
}
