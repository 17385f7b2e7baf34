/**
 * Swallows that a path is missing (ENOENT, or ENOTDIR above it) and answers undefined then; every other failure
 * is thrown on. Takes a promise, or a function that is called once.
 */
export function ignoreMissing<Value>(action: Promise<Value> | (() => Promise<Value>)): Promise<Value | undefined>
export function ignoreMissing<Value>(action: () => Value): Value | undefined
export function ignoreMissing(action: Action): unknown {
  return silently(action, (error) => {
    if (!isMissing(error)) throw error
  })
}

/**
 * Swallows every failure of the action and answers undefined then. The reason says in words why the result may be
 * lost, so that a search for this name lists each such place with its reason.
 */
export function bestEffort<Value>(
  reason: string,
  action: Promise<Value> | (() => Promise<Value>),
): Promise<Value | undefined>
export function bestEffort<Value>(reason: string, action: () => Value): Value | undefined
/** The same with what the action is called with: a closure would cost more than a small action (bench: agent-step). */
export function bestEffort<Given>(reason: string, action: (given: Given) => unknown, given: Given): void
export function bestEffort(_reason: string, action: Action, given?: unknown): unknown {
  return silently(action, ignore, given)
}

type Action = Promise<unknown> | ((given?: never) => unknown)

function ignore(): undefined {
  return undefined
}

function silently(action: Action, onError: (error: unknown) => undefined, given?: unknown): unknown {
  if (typeof action !== "function") return action.catch(onError)
  try {
    const result = action(given as never)
    return result instanceof Promise ? result.catch(onError) : result
  } catch (error) {
    return onError(error)
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENOENT" || code === "ENOTDIR"
}
