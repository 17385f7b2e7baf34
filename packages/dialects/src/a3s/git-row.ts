import { defineDialectTool, type OutputOf, ToolError } from "@haft/contract"
import type { manifest } from "@haft/tools/code/git/index.js"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import { worked } from "./a3s-output.js"

const name = z.string().min(1).optional()

const commands = ["status", "log", "branch", "checkout", "diff", "stash", "remote", "worktree"] as const
const ofWorktree = ["list", "create", "remove"] as const

// The examples of A3S Code write {"command": "worktree", "command": "list"}, of which a reader of JSON keeps the last.
const command = z
  .string()
  .refine(
    (word) => ([...commands, ...ofWorktree] as readonly string[]).includes(word),
    `must be one of ${commands.join(", ")}; of worktree "subcommand" is one of ${ofWorktree.join(", ")}`,
  )
  .meta({ enum: commands, description: "Required. Git command to execute." })

type Command = (typeof commands)[number]
type OfWorktree = (typeof ofWorktree)[number]

/** The command and its subcommand, also where the last of two keys `command` is the subcommand. */
function commandsOf(word: string, subcommand: OfWorktree | undefined) {
  const isOfWorktree = (ofWorktree as readonly string[]).includes(word)
  if (!isOfWorktree) return { command: word as Command, subcommand }
  if (subcommand === undefined || subcommand === word) return { command: "worktree", subcommand: word } as const
  throw new ToolError("invalid_args", `Cannot use "${word}" with the subcommand "${subcommand}": say one of them`, {
    hint: `For example {"command":"worktree","subcommand":"${subcommand}"}`,
  })
}

export const gitRow = defineDialectTool({
  name: "git",
  tool: "git",
  description:
    "Execute Git operations using the system git command. Supports: status, log, branch, checkout, diff, stash, remote, and worktree management. Automatically downloads and installs git if not available, once the user has agreed to it.",
  input: z.strictObject({
    command,
    subcommand: z.enum(ofWorktree).optional().describe("Of worktree: list (default), create or remove."),
    name: name.describe("Branch name for branch/checkout/worktree operations."),
    path: name.describe("Path for worktree operations (default .worktrees/NAME)."),
    ref: name.describe("Reference for checkout command."),
    target: name.describe("Target ref for diff (e.g., HEAD~1)."),
    max_count: z.int().min(1).optional().describe("Maximum log entries to show (default 10)."),
    message: name.describe("Message for stash."),
    include_untracked: z.boolean().optional().describe("Include untracked files in stash."),
    force: z.boolean().optional().describe("Force checkout/create operation."),
    new_branch: z.boolean().optional().describe("Create new branch for worktree (default true)."),
    base: name.describe("Base ref for new branch (default HEAD)."),
  }),
  toArguments: ({ command, subcommand, name: branch, ref, ...rest }) => {
    const chosen = commandsOf(command, subcommand)
    // A branch to check out may be given by either argument; ours is `ref`.
    return chosen.command === "checkout" && ref === undefined
      ? given({ ...chosen, ...rest, ref: branch })
      : given({ ...chosen, ...rest, name: branch, ref })
  },
  toValue: (result) => {
    const { text, head, ...metadata } = dataOf<OutputOf<typeof manifest>>(result)
    return worked(textOf(result) || text || head || "(no output)", metadata)
  },
})
