import * as z from "zod"
import { outputSchema } from "../../output.js"

const commit = z.string().describe("Full id of a commit")

/** What `git` returns: `command` and `text` always, the rest by command. */
export const output = outputSchema({
  command: z.enum(["status", "log", "branch", "checkout", "diff", "stash", "remote", "worktree"]),
  text: z.string(),
  branch: z.string().nullable().optional().describe("Null when HEAD is at no branch"),
  commit: commit.nullable().optional().describe("Null before the first commit"),
  upstream: z.string().optional(),
  ahead: z.int().min(0).optional(),
  behind: z.int().min(0).optional(),
  is_worktree: z.boolean().optional(),
  is_dirty: z.boolean().optional(),
  dirty_count: z.int().min(0).optional(),
  entries: z.array(z.strictObject({ path: z.string(), state: z.string(), from: z.string().optional() })).optional(),
  commits: z
    .array(z.strictObject({ id: z.string(), commit, author: z.string(), date: z.string(), message: z.string() }))
    .optional(),
  branches: z
    .array(z.strictObject({ name: z.string(), commit, current: z.boolean(), upstream: z.string().optional() }))
    .optional(),
  paths: z.array(z.string()).optional().describe("Files in the diff"),
  stashes: z.array(z.strictObject({ name: z.string(), commit, date: z.string(), message: z.string() })).optional(),
  remotes: z.array(z.strictObject({ name: z.string(), fetch: z.string(), push: z.string() })).optional(),
  worktrees: z
    .array(
      z.strictObject({
        path: z.string(),
        commit: commit.optional(),
        branch: z.string().optional(),
        bare: z.literal(true).optional(),
        detached: z.literal(true).optional(),
        locked: z.literal(true).optional(),
        prunable: z.literal(true).optional(),
      }),
    )
    .optional(),
  created: z.boolean().optional(),
  removed: z.boolean().optional(),
  path: z.string().optional(),
  complete: z.literal(false).optional().describe("A list has more entries than these"),
  denied: z.int().min(1).optional().describe("Files left out because a rule denies reading them"),
  neutralised: z.array(z.string()).optional().describe("Programs of the repository that were switched off"),
  isolation: z
    .strictObject({ level: z.string(), backend: z.string(), profile: z.string(), network: z.string() })
    .optional(),
})
