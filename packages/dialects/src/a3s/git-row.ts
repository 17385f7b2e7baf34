import { defineDialectTool, type OutputOf } from "@haft/contract"
import type { manifest } from "@haft/tools/code/git/index.js"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import { worked } from "./a3s-output.js"

const name = z.string().min(1).optional()

/** `git`. */
export const gitRow = defineDialectTool({
  name: "git",
  tool: "git",
  description:
    "Execute Git operations using the system git command. Supports: status, log, branch, checkout, diff, stash, remote, and worktree management.",
  input: z.strictObject({
    command: z
      .enum(["status", "log", "branch", "checkout", "diff", "stash", "remote", "worktree"])
      .describe("Git command to execute"),
    subcommand: z.enum(["list", "create", "remove"]).optional().describe("Of worktree (default list)"),
    name: name.describe("Branch name for branch/checkout/worktree operations"),
    path: name.describe("Path for worktree operations"),
    ref: name.describe("Reference for checkout command"),
    target: name.describe("Target ref for diff (e.g., HEAD~1)"),
    max_count: z.int().min(1).optional().describe("Maximum log entries to show (default 10)"),
    message: name.describe("Message for stash"),
    include_untracked: z.boolean().optional().describe("Include untracked files in stash"),
    force: z.boolean().optional().describe("Force checkout/create operation"),
    new_branch: z.boolean().optional().describe("Create new branch for worktree (default true)"),
    base: name.describe("Base ref for new branch (default HEAD)"),
  }),
  toArguments: ({ name: branch, ref, ...rest }) =>
    // A branch to check out may be given by either argument; ours is `ref`.
    rest.command === "checkout" && ref === undefined
      ? given({ ...rest, ref: branch })
      : given({ ...rest, name: branch, ref }),
  toValue: (result) => {
    const { text, head, ...metadata } = dataOf<OutputOf<typeof manifest>>(result)
    return worked(textOf(result) || text || head || "(no output)", metadata)
  },
})
