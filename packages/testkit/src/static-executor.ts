import { nearestNames, ToolError } from "@haft/contract"

/** Runs one tool on its JSON input and gives its result as text. A failure is a thrown ToolError. */
export type StaticHandler = (inputJson: string) => string | Promise<string>

/** The string-in, string-out interface of foreign loops, over handlers that a test names. */
export interface StaticExecutor {
  /** Adds a tool and returns the same executor; a name that is taken is an error. */
  register(name: string, handler: StaticHandler): StaticExecutor
  /** Throws ToolError: `not_found` for a name that was not registered, otherwise what the handler threw. */
  execute(name: string, inputJson: string): Promise<string>
}

/** Makes an executor with no tools yet. */
export function staticExecutor(): StaticExecutor {
  const handlers = new Map<string, StaticHandler>()
  const executor: StaticExecutor = {
    register(name, handler) {
      if (handlers.has(name)) throw new ToolError("conflict", `Cannot register "${name}": the name is already taken`)
      handlers.set(name, handler)
      return executor
    },
    async execute(name, inputJson) {
      const handler = handlers.get(name)
      if (handler === undefined) throw unknownTool(name, handlers.keys())
      try {
        return await handler(inputJson)
      } catch (error) {
        throw ToolError.is(error) ? error : failed(name, error)
      }
    },
  }
  return executor
}

function unknownTool(name: string, known: Iterable<string>): ToolError {
  const near = nearestNames(name, known)
  return new ToolError("not_found", `Cannot call "${name}": there is no such tool`, {
    ...(near.length > 0 && { hint: `Did you mean ${near.map((candidate) => `"${candidate}"`).join(", ")}?` }),
  })
}

function failed(name: string, error: unknown): ToolError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ToolError("internal", `Cannot finish "${name}": ${reason}`, { cause: error })
}
