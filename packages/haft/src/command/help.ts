import { nearestNames, ToolError } from "@haft/contract"
import { columns } from "../terminal/columns.js"
import { type Style, styleFor } from "../terminal/style.js"
import type { Command, Run } from "./command.js"
import { commands } from "./commands.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import { everywhere, options } from "./option.js"
import { outStyle, printText } from "./print.js"
import { toolDescriptions } from "./tool-descriptions.js"

/** `haft help`: the whole command line, or one command. Without any word it is an answer to a mistake. */
export const run: Run = async (invocation, io) => {
  if (invocation.path === "" && !invocation.flag("help")) {
    if (invocation.json || invocation.ndjson)
      throw new ToolError("invalid_args", 'Cannot run "haft": it needs a command', { hint: "See haft help" })
    io.stderr.write(`${overview(styleFor(io.stderr, io.env, invocation))}\n`)
    return exitCodes.usage
  }
  const style = outStyle(invocation, io)
  const [first, second] = invocation.operands
  if (first !== undefined && isTool(first, invocation)) return (await import("./tools.js")).run(invocation, io)
  printText(io, first === undefined ? overview(style) : commandHelp([first, ...(second ? [second] : [])], style))
  return exitCodes.ok
}

/** A tool's name is a command, so help for it is its page; a command of the same name comes first. */
function isTool(name: string, invocation: Invocation): boolean {
  if (commands.some((command) => command.name === name)) return false
  return invocation.text("dialect") !== undefined || toolDescriptions().some(({ id }) => id === name)
}

function overview(style: Style): string {
  const rows = commands.map((command) => [
    `  ${style.bold(command.name)}`,
    namesBelow(command),
    style.say(command.about),
  ])
  return [
    `${style.bold("haft")}: ${style.say`tools for agents, called safely`}`,
    "",
    style.say`Usage: haft COMMAND [words] [options]`,
    "",
    columns(rows),
    "",
    style.say`Options everywhere`,
    optionRows(everywhere, style),
    "",
    style.say`Help for one: haft help COMMAND`,
  ].join("\n")
}

function commandHelp(path: readonly string[], style: Style): string {
  const command = path.reduce<Command | undefined>(
    (parent, name) => find(name, parent ? (parent.commands ?? []) : commands),
    undefined,
  )!
  const usage = [
    ...path,
    command.commands ? (command.load ? "[COMMAND]" : "COMMAND") : (command.operands ?? ""),
    command.options ? "[options]" : "",
  ]
  const sections = [
    `${style.bold(`haft ${path.join(" ")}`)}: ${style.say(command.about)}`,
    "",
    style.say`Usage: haft ${usage.filter(Boolean).join(" ")}`,
  ]
  if (command.commands)
    sections.push(
      "",
      columns(
        command.commands.map(({ name, operands = "", about }) => [`  ${style.bold(name)}`, operands, style.say(about)]),
      ),
    )
  if (command.options) sections.push("", style.say`Options`, optionRows(command.options, style))
  if (command.examples) sections.push("", style.say`Examples`, ...command.examples.map((example) => `  ${example}`))
  return [...sections, "", style.say`Options everywhere`, optionRows(everywhere, style)].join("\n")
}

function find(name: string, among: readonly Command[]): Command {
  const command = among.find((candidate) => candidate.name === name)
  if (command) return command
  const [near] = nearestNames(
    name,
    among.map((candidate) => candidate.name),
    1,
  )
  throw new ToolError(
    "invalid_args",
    `Cannot help with "${name}": there is no such command`,
    near ? { hint: `Did you mean ${near}?` } : {},
  )
}

function optionRows(names: readonly string[], style: Style): string {
  return columns(
    names.map((name) => {
      const { value, about, choices, short } = options[name]!
      const written = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`
      return [`  ${style.bold(written)}`, choices ? `${style.say(about)}: ${choices.join(", ")}` : style.say(about)]
    }),
  )
}

function namesBelow(command: Command): string {
  return command.commands ? command.commands.map(({ name }) => name).join("/") : (command.operands ?? "")
}
