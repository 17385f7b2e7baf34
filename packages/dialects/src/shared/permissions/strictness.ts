import type { Action } from "@haft/contract"

const order: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 }

/** Whether the first action is at least as strict as the second. */
export function atLeastAsStrict(action: Action, other: Action): boolean {
  return order[action] >= order[other]
}

/** The strictest of some actions; allow when there are none. */
export function strictest(actions: readonly Action[]): Action {
  return actions.reduce<Action>((worst, action) => (atLeastAsStrict(action, worst) ? action : worst), "allow")
}
