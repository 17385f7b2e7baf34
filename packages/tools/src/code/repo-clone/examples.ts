import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

// The least that git takes for a repository.
const files = {
  "origin/.git/HEAD": "ref: refs/heads/main\n",
  "origin/.git/config": "[core]\n\trepositoryformatversion = 0\n",
  "origin/.git/objects/info/alternates": "",
  "origin/.git/refs/heads/.keep": "",
}

/** Calls that show what `repo_clone` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a folder of the workspace",
    files,
    input: { url: "./origin", path: "copy" },
    output: { path: "copy", commit: null },
  },
  { name: "something is there", files, input: { url: "./origin" }, fails: "conflict" },
  { name: "an address with credentials", input: { url: "https://me:secret@example.org/a.git" }, fails: "invalid_args" },
  { name: "an address that names a program", input: { url: "ext::sh -c id" }, fails: "invalid_args" },
  { name: "ssh", input: { url: "git@example.org:a.git" }, fails: "unsupported" },
]
