import { parseArgs } from "node:util"
import { nearestNames, ToolError } from "@haft/contract"
import { type ColorChoice, colorChoices } from "../terminal/style.js"
import type { Command } from "./command.js"
import { commands } from "./commands.js"
import { everywhere, options } from "./option.js"

/** A command line that was understood. */
export interface Invocation {
  readonly command: Command
  /** The words of the command, for instance `session list`. */
  readonly path: string
  readonly operands: readonly string[]
  readonly json: boolean
  readonly ndjson: boolean
  readonly quiet: boolean
  readonly color: ColorChoice | undefined
  /** The value of an option. */
  text(name: string): string | undefined
  /** The values of an option that may be repeated. */
  list(name: string): readonly string[]
  flag(name: string): boolean
}

/** Reads a command line. Anything unknown is an error that names the nearest thing. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const { given, words } = readArguments(argv)
  const wantsHelp = given.has("help")
  const found = findCommand(words, wantsHelp)
  const command = given.has("version") ? commandNamed("version") : wantsHelp ? commandNamed("help") : found.command
  const operands = given.has("version") ? [] : wantsHelp ? found.path.split(" ").filter(Boolean) : found.operands
  if (command === found.command) {
    for (const [name, values] of given) checkOption(name, values, found.command, found.path)
    checkCount(command, found.path, operands)
  }
  return {
    command,
    path: found.path,
    operands,
    json: given.has("json"),
    ndjson: given.has("ndjson"),
    quiet: given.has("quiet"),
    color: colorChoices.find((choice) => choice === given.get("color")?.at(-1)),
    text: (name) => given.get(name)?.at(-1),
    list: (name) => given.get(name) ?? [],
    flag: (name) => given.has(name),
  }
}

/** True when errors must be written as JSON, known before the command line is understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--")
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => word === "--json" || word === "--ndjson")
}

function readArguments(argv: readonly string[]): { given: Map<string, string[]>; words: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, short }]) => [
        name,
        { type: value ? ("string" as const) : ("boolean" as const), ...(short ? { short } : {}) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given = new Map<string, string[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value)
    if (token.kind !== "option") continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw unknownOption(token.rawName, words)
    if (option.value && (token.value === undefined || (!token.inlineValue && token.value.startsWith("--")))) {
      throw usage(`Cannot use "${token.rawName}": it needs a value, as in ${token.rawName} ${option.value}`)
    }
    if (!option.value && token.value !== undefined) throw usage(`Cannot use "${token.rawName}": it takes no value`)
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""])
  }
  return { given, words }
}

interface Found {
  readonly command: Command
  readonly path: string
  readonly operands: readonly string[]
}

function findCommand(words: readonly string[], wantsHelp: boolean): Found {
  const [first, second] = words
  if (first === undefined) return { command: commandNamed("help"), path: "", operands: [] }
  const command = choose(first, commands, "haft")
  if (!command.commands) return { command, path: command.name, operands: words.slice(1) }
  if (second === undefined && (wantsHelp || command.load)) return { command, path: command.name, operands: [] }
  if (second === undefined) {
    const names = command.commands.map(({ name }) => name).join(", ")
    throw usage(`Cannot run "haft ${first}": say what to do: ${names}`, `See haft help ${first}`)
  }
  const below = choose(second, command.commands, `haft ${first}`)
  return { command: below, path: `${first} ${second}`, operands: words.slice(2) }
}

function choose(name: string, from: readonly Command[], parent: string): Command {
  const command = from.find((candidate) => candidate.name === name)
  if (command) return command
  const near = nearestNames(
    name,
    from.map((candidate) => candidate.name),
  )
  const known = from.map((candidate) => candidate.name).join(", ")
  throw usage(
    `Cannot run "${parent} ${name}": there is no such command`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known: ${known}`,
  )
}

function commandNamed(name: string): Command {
  return commands.find((command) => command.name === name)!
}

function checkOption(name: string, values: readonly string[], command: Command, path: string): void {
  const { choices, repeat } = options[name]!
  const allowed = [...(command.options ?? []), ...everywhere]
  if (!allowed.includes(name)) {
    if (name === "yes")
      throw usage(
        `Cannot use "--yes" with "haft ${path}": it exists for call only`,
        "Use --mode auto where a mode fits",
      )
    throw usage(
      `Cannot use "--${name}" with "haft ${path}"`,
      `It takes ${allowed.map((option) => `--${option}`).join(" ")}`,
    )
  }
  if (!repeat && values.length > 1) throw usage(`Cannot use "--${name}" twice: it takes one value`)
  const wrong = choices && values.find((value) => !choices.includes(value))
  if (wrong === undefined) return
  const near = nearestNames(wrong, choices!, 1)[0]
  throw usage(
    `Cannot use "${wrong}" for "--${name}": it must be ${choices!.join(" or ")}`,
    near && `Did you mean ${near}?`,
  )
}

function checkCount(command: Command, path: string, operands: readonly string[]): void {
  const [least, most] = command.count ?? [0, 0]
  if (operands.length < least) {
    throw usage(`Cannot run "haft ${path}": it needs ${command.operands}`, `See haft help ${path}`)
  }
  if (operands.length > most) {
    throw usage(`Cannot use "${operands[most]}": "haft ${path}" takes ${command.operands ?? "no further words"}`)
  }
}

function unknownOption(rawName: string, words: readonly string[]): ToolError {
  const command = commands.find(({ name }) => name === words[0])
  const below = command?.commands?.find(({ name }) => name === words[1]) ?? command
  const known = below ? [...(below.options ?? []), ...everywhere] : Object.keys(options)
  const [near] = nearestNames(rawName, known, 1)
  return usage(
    `Cannot use "${rawName}": there is no such option`,
    near ? `Did you mean --${near}?` : 'See haft help; a word of your own that begins with "-" comes after "--"',
  )
}

function usage(message: string, hint?: string): ToolError {
  return new ToolError("invalid_args", message, hint ? { hint } : {})
}
