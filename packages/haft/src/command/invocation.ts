import { parseArgs } from "node:util"
import { type Locale, nearestNames, ToolError } from "@haft/contract"
import { type Say, sayEnglish } from "@haft/language"
import { type ColorChoice, colorChoices } from "../terminal/style.js"
import type { Command } from "./command.js"
import { commands } from "./commands.js"
import { everywhere, options } from "./option.js"
import { toolDescriptions } from "./tool-descriptions.js"

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
  /** The language of words for people; English until the configuration is known. */
  readonly language: Locale
  readonly say: Say
  /** The value of an option. */
  text(name: string): string | undefined
  /** The values of an option that may be repeated. */
  list(name: string): readonly string[]
  flag(name: string): boolean
}

/** Reads a command line. Anything unknown is an error that names the nearest thing. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const { given, words, keys } = readArguments(argv)
  if (given.has("json") && given.has("ndjson"))
    throw usage('Cannot use "--json" with "--ndjson": each wants standard output for itself', "Leave one of them out")
  const wantsHelp = given.has("help")
  if (words[0] !== undefined && words[0] === keys[0]) throw unknownOption(words[0], [])
  const found = findCommand(words, { wantsHelp, speaksDialect: given.has("dialect") })
  if (keys[0] !== undefined && !callsTool(found.command)) throw unknownOption(keys[0], words)
  const command = given.has("version") ? commandNamed("version") : wantsHelp ? commandNamed("help") : found.command
  const operands = given.has("version") ? [] : wantsHelp ? helpedWith(found, words) : found.operands
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
    language: "en",
    say: sayEnglish,
    text: (name) => given.get(name)?.at(-1),
    list: (name) => given.get(name) ?? [],
    flag: (name) => given.has(name),
  }
}

/** What help is for: the command's own name, or that of the tool that was written in its place. */
function helpedWith({ command, path }: Found, [first]: readonly string[]): readonly string[] {
  return command.name === "call" && first !== undefined && first !== "call" ? [first] : path.split(" ").filter(Boolean)
}

/** True when errors must be written as JSON, known before the command line is understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--")
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => word === "--json" || word === "--ndjson")
}

interface ReadArguments {
  readonly given: Map<string, string[]>
  readonly words: string[]
  /** Words that are keys of tools and look like options: `-i`. */
  readonly keys: readonly string[]
}

const shorts: ReadonlySet<string | undefined> = new Set(Object.values(options).map(({ short }) => short))

// Marks a key of a tool for the reader of options, which would take it apart. No word of a command line has it.
const mark = "\0"

function readArguments(argv: readonly string[]): ReadArguments {
  const end = argv.indexOf("--")
  const isKey = (word: string, index: number) =>
    (end < 0 || index < end) && /^-[A-Za-z](?::?=.*)?$/s.test(word) && !shorts.has(word[1])
  const keys = argv.filter(isKey)
  const { tokens } = parseArgs({
    args: argv.map((word, index) => (isKey(word, index) ? `${mark}${word}` : word)),
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
    if (token.kind === "positional") words.push(token.value.replace(mark, ""))
    if (token.kind !== "option") continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw unknownOption(token.rawName, words)
    if (option.value && (token.value === undefined || (!token.inlineValue && token.value.startsWith("--")))) {
      throw usage(`Cannot use "${token.rawName}": it needs a value, as in ${token.rawName} ${option.value}`)
    }
    if (!option.value && token.value !== undefined) throw usage(`Cannot use "${token.rawName}": it takes no value`)
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""])
  }
  return { given, words, keys }
}

function callsTool({ name }: Command): boolean {
  return name === "call" || name === "explain"
}

interface Found {
  readonly command: Command
  readonly path: string
  readonly operands: readonly string[]
}

interface Wanted {
  readonly wantsHelp: boolean
  readonly speaksDialect: boolean
}

function findCommand(words: readonly string[], { wantsHelp, speaksDialect }: Wanted): Found {
  const [first, second] = words
  if (first === undefined) return { command: commandNamed("help"), path: "", operands: [] }
  const named = commands.find(({ name }) => name === first)
  // A tool's name is a command; a command of ours wins over a tool of the same name.
  if (!named && (speaksDialect || toolDescriptions().some(({ id }) => id === first))) {
    return { command: commandNamed("call"), path: "call", operands: words }
  }
  const command = named ?? unknownCommand(first, [...commands, ...toolDescriptions().map(({ id }) => ({ name: id }))])
  if (!command.commands) return { command, path: command.name, operands: words.slice(1) }
  if (second === undefined && (wantsHelp || command.load)) return { command, path: command.name, operands: [] }
  if (second === undefined) {
    const names = command.commands.map(({ name }) => name).join(", ")
    throw usage(`Cannot run "haft ${first}": say what to do: ${names}`, `See haft help ${first}`)
  }
  const name = short[second] ?? second
  const below = command.commands.find((candidate) => candidate.name === name)
  if (!below) unknownCommand(second, command.commands, `haft ${first}`)
  return { command: below, path: `${first} ${name}`, operands: words.slice(2) }
}

// What fingers type.
const short: Readonly<Record<string, string | undefined>> = { ls: "list", rm: "remove" }

function unknownCommand(name: string, known: readonly Pick<Command, "name">[], parent = "haft"): never {
  const names = known.map((candidate) => candidate.name)
  const near = nearestNames(name, names)
  const all = parent === "haft" ? "See haft help and haft tools" : `Known: ${names.join(", ")}`
  throw usage(
    `Cannot run "${parent} ${name}": there is no such command`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : all,
  )
}

function commandNamed(name: string): Command {
  return commands.find((command) => command.name === name)!
}

function checkOption(name: string, values: readonly string[], command: Command, path: string): void {
  const { choices, repeat } = options[name]!
  const allowed = [...(command.options ?? []), ...everywhere]
  if (!allowed.includes(name)) {
    if (name === "yes") {
      const hint = allowed.includes("mode") ? "Use --mode auto where a mode fits" : "Leave it out"
      throw usage(`Cannot use "--yes" with "haft ${path}": it exists for call only`, hint)
    }
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
  // The beginning of a sentence, or of a patch.
  const [near] = /\s/.test(rawName) ? [] : nearestNames(rawName, known, 1)
  return usage(
    `Cannot use "${rawName}": there is no such option`,
    near ? `Did you mean --${near}?` : 'See haft help; a word of your own that begins with "-" comes after "--"',
  )
}

function usage(message: string, hint?: string): ToolError {
  return new ToolError("invalid_args", message, hint ? { hint } : {})
}
