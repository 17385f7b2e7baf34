import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const config = '[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://me:secret@example.org/a.git\n'
// The least that git takes for a repository.
const files = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": config,
  ".git/objects/info/alternates": "",
  ".git/refs/heads/.keep": "",
  "a.txt": "one\n",
}

/** Calls that show what `git` promises. */
export const examples: readonly Example<typeof manifest>[] = [
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
