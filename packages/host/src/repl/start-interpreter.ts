import { type ReplRequest, ToolError, type WalledCall } from "@haft/contract"
import { programsOn } from "../commands/find-program.js"
import { quietEnvironment } from "../commands/quiet-environment.js"
import type { Workplace } from "../commands/working-directory.js"
import { markName, nextMark } from "../process/call-mark.js"
import type { Sandbox } from "../sandbox/sandbox.js"
import { type Driver, drivers } from "./driver/index.js"
import { Interpreter } from "./interpreter.js"

/** What the interpreters of a session are made from. */
export interface ReplOptions extends Workplace {
  readonly sandbox: Pick<Sandbox, "prepare">
  /** Where interpreters are found; the search path of this process by default. */
  readonly path?: string
}

// Whatever the call itself may do: an interpreter serves later calls too, so it only ever looks.
const asked = { profile: "look", hosts: [], approved: [], unconfined: false } as const

/** Starts the first interpreter of a language that the wall shows; where it shows none, the refusal says so of the first. */
export async function startInterpreter(
  options: ReplOptions,
  call: WalledCall,
  language: ReplRequest["language"],
): Promise<Interpreter> {
  const driver = drivers[language]
  let hidden: ToolError | undefined
  for (const program of interpretersOf(driver, options)) {
    try {
      return await startProgram(options, call, { driver, program })
    } catch (error) {
      if (!isHidden(error)) throw error
      hidden ??= error
    }
  }
  if (hidden) throw hidden
  throw new ToolError("not_configured", `Cannot evaluate ${language}: no ${driver.programs.join(" or ")} was found`, {
    hint: `Install ${driver.programs[0]} and make sure that it is on the search path`,
  })
}

/** Every program that can do it: what the wall does not show is passed over. */
function* interpretersOf({ programs }: Driver, { path, roots }: ReplOptions): Generator<string> {
  const searched = path ?? process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"
  for (const program of programs) yield* programsOn(program, { path: searched, roots })
}

function isHidden(error: unknown): error is ToolError {
  return ToolError.is(error) && (error.details as { reason?: unknown } | undefined)?.reason === "PROGRAM_NOT_SHOWN"
}

async function startProgram(
  options: ReplOptions,
  call: WalledCall,
  { driver, program }: { readonly driver: Driver; readonly program: string },
): Promise<Interpreter> {
  const mark = nextMark()
  const wall = await options.sandbox.prepare({
    wall: asked,
    directory: options.directory,
    environment: { ...quietEnvironment, [markName]: mark },
    denies: (kind, path) => call.grant.denies(kind, path),
    rulesKey: call.grant.rulesKey,
    lasting: true,
    signal: call.signal,
  })
  return Interpreter.start({ wall, asked, grant: call.grant, mark, driver, program })
}
