import { appendFileSync } from "node:fs"
import type { Json, StepOptions, StepSpec, TurnFunction, TurnPort } from "@haft/contract"

/** One line of the file that fake tools write to. */
export interface LogLine {
  readonly session: string
  readonly turn: string
  readonly key: string
  readonly attempt: number
  readonly pid: number
  /** `known`: a process found the key in the record when it began. */
  readonly phase: "start" | "effect" | "known"
}

/** The fake tools of one process. */
export interface Tools {
  readonly log: (line: Omit<LogLine, "pid">) => void
  /** A place at which the process may be killed. */
  readonly point: (name: string) => void
}

/** Tools that write to a file, as tools change the world. */
export function fileTools(file: string, point: (name: string) => void): Tools {
  return { point, log: (line) => appendFileSync(file, `${JSON.stringify({ ...line, pid: process.pid })}\n`) }
}

/** A turn with everything in it: replies, tools of both kinds, a pair, a question, a child. */
export function scriptOf(tools: Tools): TurnFunction {
  return async (port, input) => {
    const transcript: Json[] = [input]
    const add = (value: Json) => void transcript.push(value)
    add(await tool(port, tools, "reply:1", { synced: true }))
    add(await tool(port, tools, "read", {}))
    add(await tool(port, tools, "write", never))
    if (input === "child") return transcript
    add([await port.now(), await port.uuid()])
    const pair = [specOf(port, tools, "left", {}), specOf(port, tools, "right", never)]
    add((await port.parallel(pair)) as unknown as Json)
    if (input === "ask") add((await port.wait("sure", { ask: "Are you sure?" })) as unknown as Json)
    add((await port.child(`${port.sessionId}-child`, `of-${port.turnId}`, "child")) as unknown as Json)
    add(await tool(port, tools, "reply:2", { synced: true }))
    return transcript
  }
}

const never: StepOptions<Json> = { retry: "never", interrupted: () => "outcome unknown" }

function tool(port: TurnPort, tools: Tools, key: string, options: StepOptions<Json>): Promise<Json> {
  return port.step(key, specOf(port, tools, key, options).run, options)
}

function specOf(port: TurnPort, tools: Tools, key: string, options: StepOptions<Json>): StepSpec<Json> {
  const line = { session: port.sessionId, turn: port.turnId, key }
  return {
    key,
    options,
    run: async (scope) => {
      const { attempt } = scope
      tools.log({ ...line, attempt, phase: "start" })
      tools.point(`${key} before its effect`)
      await Promise.resolve()
      tools.log({ ...line, attempt, phase: "effect" })
      tools.point(`${key} after its effect`)
      scope.emit(`piece of ${key}`)
      return `result of ${key}`
    },
  }
}
