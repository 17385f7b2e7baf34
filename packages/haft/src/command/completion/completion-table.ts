import { settings } from "../../config/setting.js"
import type { Command } from "../command.js"
import { commands } from "../commands.js"
import { everywhere, options } from "../option.js"
import { type ToolDescription, toolDescriptions } from "../tool-descriptions.js"

/** What can be completed, the same for every shell. */
export interface CompletionTable {
  /** Words that may come next after these words. */
  readonly after: readonly { readonly path: string; readonly words: readonly string[] }[]
  /** Options with a value, and the values where they are known; otherwise it is a file or free text. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] | "file" | "text" }[]
}

/** The table for the commands, options and tools of this build. */
export function completionTable(): CompletionTable {
  const tools = toolDescriptions()
  return {
    after: [
      { path: "", words: [...commands.map(({ name }) => name), ...flags(everywhere)] },
      ...commands.flatMap((command) => [
        entryOf(command, command.name, tools),
        ...(command.commands ?? []).map((below) => entryOf(below, `${command.name} ${below.name}`, tools)),
      ]),
      ...["call", "explain"].flatMap((name) =>
        tools.map((tool) => ({ path: `${name} ${tool.id}`, words: [...keysOf(tool), ...flags(optionsOf(name))] })),
      ),
    ],
    values: Object.entries(options).flatMap(([name, { value, choices }]) => {
      if (!value) return []
      return [{ option: `--${name}`, choices: choices ?? (value === "DIR" || value === "FILE" ? "file" : "text") }]
    }),
  }
}

function entryOf(
  command: Command,
  path: string,
  tools: readonly ToolDescription[],
): { path: string; words: readonly string[] } {
  const below = (command.commands ?? []).map(({ name }) => name)
  return {
    path,
    words: [...below, ...operandsOf(command, tools), ...flags([...(command.options ?? []), ...everywhere])],
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
