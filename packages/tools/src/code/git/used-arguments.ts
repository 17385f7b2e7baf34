import { ToolError } from "@haft/contract"
import type { GitInput } from "./index.js"

type Key = "subcommand" | "name" | "path" | "ref" | "target" | "message" | "base"

const used: Readonly<Record<GitInput["command"], readonly Key[]>> = {
  status: [],
  log: ["ref", "path"],
  branch: ["name", "base"],
  checkout: ["ref"],
  diff: ["target", "ref", "path"],
  stash: ["message"],
  remote: [],
  worktree: ["subcommand", "name", "path", "base"],
}

/** What commands take besides: these have a default, so that nobody can tell whether the caller gave one. */
const defaulted: Readonly<Partial<Record<GitInput["command"], readonly (keyof GitInput)[]>>> = {
  log: ["max_count"],
  checkout: ["force"],
  stash: ["include_untracked"],
  worktree: ["force", "new_branch"],
}

/** Refuses arguments that the command would silently leave aside: the caller means something that will not happen. */
export function assertUsed(input: GitInput): void {
  const keys: readonly Key[] = ["subcommand", "name", "path", "ref", "target", "message", "base"]
  const broken = keys.find((key) => input[key]?.includes("\0"))
  if (broken !== undefined) {
    throw new ToolError("invalid_args", `Cannot use "${broken}": it has a NUL character in it; remove it`)
  }
  const idle = keys.find((key) => input[key] !== undefined && !used[input.command].includes(key))
  if (idle === undefined) return
  const all = [...used[input.command], ...(defaulted[input.command] ?? [])]
  const takes = all.map((key) => `"${key}"`).join(", ")
  throw new ToolError("invalid_args", `Cannot use "${idle}" with "${input.command}": that command does not take it`, {
    hint: takes === "" ? `"${input.command}" takes no further arguments` : `"${input.command}" takes ${takes}`,
  })
}

/** An argument that the command cannot do without. */
export function needed(input: GitInput, key: Key): string {
  const value = input[key]
  if (value !== undefined) return value
  const command = [input.command, input.subcommand].filter((word) => word !== undefined).join(" ")
  const call = JSON.stringify({ command: input.command, ...optional(input.subcommand), ...examples[command] })
  throw new ToolError("invalid_args", `Cannot run "${command}": the argument "${key}" is missing; add it`, {
    hint: `For example ${call}`,
  })
}

const examples: Readonly<Record<string, Readonly<Partial<Record<Key, string>>>>> = {
  checkout: { ref: "main" },
  "worktree create": { name: "feature", path: "trees/feature" },
  "worktree remove": { path: "trees/feature" },
}

function optional(subcommand: GitInput["subcommand"]): Pick<GitInput, "subcommand"> {
  return subcommand === undefined ? {} : { subcommand }
}
