import { settings } from "../../config/setting.js"
import type { Command } from "../command.js"
import { commands } from "../commands.js"
import { everywhere, options } from "../option.js"
import { type ToolDescription, toolDescriptions } from "../tool-descriptions.js"

/** What changes while a script is in use: `haft completion sessions` prints it. */
export const living = ["sessions", "skills"] as const
/** One of these. */
export type Living = (typeof living)[number]

/** What may come next. */
export interface NextWords {
  readonly path: string
  readonly words: readonly string[]
  /** What is asked for besides when somebody presses the key. */
  readonly asks?: Living
}

/** The values of an option: these, living ones, a file, or free text. */
export type ValueChoices = readonly string[] | Living | "file" | "text"

/** What can be completed, the same for every shell. */
export interface CompletionTable {
  /** Words that may come next after these words. */
  readonly after: readonly NextWords[]
  /** Options with a value. */
  readonly values: readonly { readonly option: string; readonly choices: ValueChoices }[]
}

/** The table for the commands, options and tools of this build. */
export function completionTable(): CompletionTable {
  const tools = toolDescriptions()
  return {
    after: [
      { path: "", words: [...commands.map(({ name }) => name), ...bareTools(tools), ...flags(everywhere)] },
      ...commands.flatMap((command) => [
        entryOf(command, command.name, tools),
        ...(command.commands ?? []).map((below) => entryOf(below, `${command.name} ${below.name}`, tools)),
      ]),
      ...["call", "explain"].flatMap((name) => tools.map((tool) => toolEntry(`${name} ${tool.id}`, tool, name))),
      ...tools.filter(({ id }) => bareTools(tools).includes(id)).map((tool) => toolEntry(tool.id, tool, "call")),
    ],
    values: Object.entries(options).flatMap(([name, { value, choices }]) => {
      if (!value) return []
      const isFile = ["DIR", "FILE", "PATH"].includes(value)
      return [
        { option: `--${name}`, choices: name === "session" ? "sessions" : (choices ?? (isFile ? "file" : "text")) },
      ]
    }),
  }
}

/** Tools whose name alone is a command. */
function bareTools(tools: readonly ToolDescription[]): readonly string[] {
  return tools.map(({ id }) => id).filter((id) => !commands.some(({ name }) => name === id))
}

function toolEntry(path: string, tool: ToolDescription, command: string): NextWords {
  return { path, words: [...keysOf(tool), ...flags(optionsOf(command))] }
}

function entryOf(command: Command, path: string, tools: readonly ToolDescription[]): NextWords {
  const below = (command.commands ?? []).map(({ name }) => name)
  const asks = living.find((kind) => kind === command.completes)
  return {
    path,
    words: [...below, ...operandsOf(command, tools), ...flags([...(command.options ?? []), ...everywhere])],
    ...(asks && { asks }),
  }
}

function operandsOf({ completes }: Command, tools: readonly ToolDescription[]): readonly string[] {
  if (completes === "tool") return tools.map(({ id }) => id)
  if (completes === "command") return commands.map(({ name }) => name)
  if (completes === "setting") return settings.map(({ key }) => key.replace(/\*$/, ""))
  return Array.isArray(completes) ? completes : []
}

function optionsOf(name: string): readonly string[] {
  return [...(commands.find((command) => command.name === name)?.options ?? []), ...everywhere]
}

function keysOf(tool: ToolDescription): readonly string[] {
  return Object.keys(tool.input_schema.properties ?? {}).map((key) => `${key}=`)
}

function flags(names: readonly string[]): readonly string[] {
  return names.map((name) => `--${name}`)
}
