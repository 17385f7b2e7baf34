import {
  defineManifest,
  defineTool,
  type Example,
  type NamedEffect,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

const commit = z.string().describe("Full id of a commit")

/** What `git` returns: `command` and `text` always, the rest by command. */
const output = outputSchema({
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
        outside: z.literal(true).optional().describe("Its folder is outside the workspace"),
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

const input = z.strictObject({
  command: z.enum(["status", "log", "branch", "checkout", "diff", "stash", "remote", "worktree"]),
  subcommand: z.enum(["list", "create", "remove"]).optional().describe("Of worktree; default list"),
  name: z.string().min(1).optional().describe("Branch to create; without it branch lists"),
  path: z
    .string()
    .min(1)
    .optional()
    .describe("log, diff: only this path; worktree: its folder, default .worktrees/NAME"),
  ref: z.string().min(1).optional().describe("Commit, branch or tag: for checkout, where log starts, where diff ends"),
  target: z.string().min(1).optional().describe("What diff compares with: a commit, a..b or a...b; default HEAD"),
  max_count: z.int().min(1).max(5000).default(10).describe("Commits of log"),
  message: z.string().min(1).optional().describe("Creates a stash with this message; without it stash lists"),
  include_untracked: z.boolean().default(false).describe("Creates a stash with new files too"),
  force: z.boolean().default(false).describe("checkout, worktree remove: lose uncommitted changes"),
  new_branch: z.boolean().default(true).describe("worktree create: false uses the branch that exists"),
  base: z.string().min(1).optional().describe("Where a new branch starts; default HEAD"),
})

export const manifest = defineManifest({
  id: "git",
  title: "Git",
  description:
    "Shows and changes the repository of the working directory: status, log, diff, branches, stashes, remotes, worktrees, checkout. Hooks, filters and other programs that the repository names do not run. Use for these instead of bash; for commit, add, fetch and push use bash.",
  input,
  output,
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**"] },
    shell: [{ cmd: "git" }],
  },
  operands: ["command"],
  toolset: "code",
  kind: "execute",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 65_536, past: "sidecar", fields: ["text"], keep: "head" },
  retry: "never",
  timeoutMs: 300_000,
  effects,
  subject: (values) => ({ kind: "arguments", values }),
  habits: {
    cwd: "Leave it out: the repository is that of the working directory",
    args: "Say it with the named arguments",
    directory: "Leave it out: the repository is that of the working directory",
  },
})

/** The arguments of `git`. */
export type GitInput = z.infer<typeof input>

function effects(call: GitInput): readonly NamedEffect[] {
  const read: NamedEffect = { kind: "fs.read", path: "." }
  const write = (path: string): readonly NamedEffect[] => [read, { kind: "fs.write", path }]
  switch (call.command) {
    case "checkout":
      return write(".")
    case "branch":
      return call.name === undefined ? [read] : write(".git")
    case "stash":
      return createsStash(call) ? write(".") : [read]
    case "worktree":
      // Without a name nothing is made: the call ends by saying what is missing.
      if (call.subcommand === "create")
        return call.name === undefined ? [read] : [read, ...creation(call.name, call.path)]
      return call.subcommand === "remove" && call.path !== undefined
        ? [...write(".git"), { kind: "fs.delete", path: call.path, outside: "asks" }]
        : [read]
    default:
      return [read]
  }
}

/** Without a path the work tree goes to a folder that searches skip; an exclude file of git names that folder. */
function creation(name: string, path: string | undefined): readonly NamedEffect[] {
  if (path !== undefined) return [{ kind: "fs.write", path, outside: "asks" }]
  return [
    { kind: "fs.write", path: usualPlace(name) },
    { kind: "fs.write", path: excludeFile },
  ]
}

/** The folder of work trees whose place nobody chose, below the working directory. */
export const usualFolder = ".worktrees"
/** What a repository leaves out besides its .gitignore; it is not part of what is committed. */
export const excludeFile = ".git/info/exclude"

/** Where a work tree goes that no path is given for. */
export function usualPlace(name: string): string {
  return `${usualFolder}/${name.replaceAll(/[/\\]/g, "-")}`
}

/** Whether a call makes a stash rather than listing them. */
export function createsStash({ message, include_untracked }: GitInput): boolean {
  return message !== undefined || include_untracked
}

/** The text of the command, then what was left out, switched off or not confined. */
const present: Present<typeof manifest> = (output) => {
  const { denied, neutralised, isolation } = output
  const notes = [
    ...(denied === undefined ? [] : [`${denied} ${denied === 1 ? "file" : "files"} left out by rules`]),
    ...(neutralised === undefined || neutralised.length === 0 ? [] : [`not run: ${neutralised.join(", ")}`]),
    ...(isolation?.level === "none" ? ["ran outside the sandbox"] : []),
  ]
  return [text([output.text, ...(notes.length > 0 ? [`[${notes.join("; ")}]`] : [])].join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Git", loading: "Running git", done: "Ran git" },
  "zh-CN": {
    title: "Git",
    loading: "正在运行 Git",
    done: "已运行 Git",
    summary: "查看和更改工作目录的仓库：状态、日志、差异、分支、暂存、远程、工作树、检出",
  },
}

const config = '[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://me:secret@example.org/a.git\n'
// The least that git takes for a repository.
const files = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": config,
  ".git/objects/info/alternates": "",
  ".git/refs/heads/.keep": "",
  "a.txt": "one\n",
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "what is new",
    files,
    input: { command: "status" },
    output: { branch: "main", commit: null, dirty_count: 1, entries: [{ path: "a.txt", state: "??" }] },
  },
  {
    name: "addresses without credentials",
    files,
    input: { command: "remote" },
    output: {
      remotes: [{ name: "origin", fetch: "https://example.org/a.git", push: "https://example.org/a.git" }],
    },
  },
  { name: "no commits yet", files, input: { command: "log" }, output: { commits: [], text: "No commits yet" } },
  { name: "no repository", files: { "a.txt": "" }, input: { command: "status" }, fails: "not_found" },
  {
    name: "a value that looks like an option",
    files,
    input: { command: "checkout", ref: "--force" },
    fails: "invalid_args",
  },
]

/** Shows and changes a git repository, and runs nothing that the repository names. */
export const git = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/git-faces.js"),
})
