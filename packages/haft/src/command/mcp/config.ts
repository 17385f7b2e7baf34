import { nearestNames, ToolError } from "@haft/contract"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Invocation } from "../invocation.js"
import { options } from "../option.js"
import { ownCommand } from "../own-command.js"
import { note, printValue } from "../print.js"
import { checkWideRoot, setUp } from "../setup.js"
import { clients } from "./client-snippets.js"
import { servedTools } from "./served-tools.js"

/** `haft mcp config`: what makes a client start this server, to be put where the client looks for it. */
export const run: Run = async (invocation, io) => {
  const [name] = invocation.operands
  const setup = await setUp(invocation, io)
  await checkWideRoot(setup)
  // A mistake in the flags is found here, and not when the client starts.
  await servedTools(invocation, setup.configuration.rules)
  const { place, write } = clientNamed(name!)
  const roots = setup.roots.flatMap((root) => ["--root", root])
  const { command, args } = ownCommand(io.env)
  const snippet = write({ command, args: [...args, "mcp", ...roots, ...flags(invocation)] })
  printValue(invocation, io, { client: name, place, snippet }, () => snippet)
  note(invocation, io, place)
  return exitCodes.ok
}

function clientNamed(name: string): (typeof clients)[string] {
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined
  if (client) return client
  const known = Object.keys(clients)
  const [near] = nearestNames(name, known, 1)
  throw new ToolError("invalid_args", `Cannot write a configuration for "${name}": that client is not known`, {
    hint: near === undefined ? `Known: ${known.join(", ")}` : `Did you mean ${near}?`,
  })
}

/** The options that were given, as the client must give them; the roots are absolute, because it starts elsewhere. */
function flags(invocation: Invocation): readonly string[] {
  const passed = (invocation.command.options ?? []).filter((option) => option !== "root")
  return passed.flatMap((option) =>
    options[option]?.value === undefined
      ? invocation.flag(option)
        ? [`--${option}`]
        : []
      : invocation.list(option).flatMap((value) => [`--${option}`, value]),
  )
}
