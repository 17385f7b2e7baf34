import { type ReplRequest, ToolError, type WalledCall } from "@haft/contract"
import { quietEnvironment } from "../commands/quiet-environment.js"
import type { Workplace } from "../commands/working-directory.js"
import { markName, nextMark } from "../process/call-mark.js"
import { createProgramFinder } from "../program/program-finder.js"
import type { CommandSandbox } from "../sandbox/sandbox.js"
import { drivers } from "./driver/index.js"
import { Interpreter } from "./interpreter.js"

/** What the interpreters of a session are made from. */
export interface ReplOptions extends Workplace {
  readonly sandbox: CommandSandbox
  /** Where interpreters are found; the search path of this process by default. */
  readonly path?: string
}

// Whatever the call itself may do: an interpreter serves later calls too, so it only ever looks.
const asked = { profile: "look", hosts: [], approved: [], unconfined: false } as const

/** Starts an interpreter of a language. */
export async function startInterpreter(
  options: ReplOptions,
  call: WalledCall,
  language: ReplRequest["language"],
): Promise<Interpreter> {
  const driver = drivers[language]
  const program = await createProgramFinder(options)(driver.programs, asked)
  if (program === undefined) {
    throw new ToolError("not_configured", `Cannot evaluate ${language}: no ${driver.programs.join(" or ")} was found`, {
      fix: `Install ${driver.programs[0]} and make sure that it is on the search path`,
    })
  }
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
