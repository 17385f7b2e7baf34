import { expect, test } from "vitest"
import { analyzeBash } from "../../analyze-bash.js"
import type { GitContent } from "./git-content.js"

const context = { directory: "/home/me/app", home: "/home/me", roots: ["/home/me/app"] }
const contentOf = (line: string) => analyzeBash(line, context).parts.map(({ gitContent }) => gitContent)

const everything: GitContent = { shows: "everything" }
const lines: readonly (readonly [string, GitContent | undefined])[] = [
  ["git status", undefined],
  ["git status -v", { shows: "difference", options: ["--cached"], words: [] }],
  ["git log --oneline -5", undefined],
  ["git log -p", { shows: "commits", options: [], words: [] }],
  ["git log -p -3", { shows: "commits", options: ["-n3"], words: [] }],
  ["git log -p -n 3 --skip=2 main", { shows: "commits", options: ["-n3", "--skip=2"], words: ["main"] }],
  ["git log -U5 v1..v2 -- src", { shows: "commits", options: [], words: ["v1..v2"], paths: ["src"] }],
  ["git log -S token", { shows: "commits", options: ["-Stoken"], words: [] }],
  ["git log -p --all", everything],
  ["git log -p -g", everything],
  ["git log -p --branches", everything],
  ["git log -p --follow notes.txt", everything],
  ["git log -L 1,3:a.txt", everything],
  ['git log -p "$x"', everything],
  ["git show", { shows: "commits", options: ["--no-walk"], words: [] }],
  ["git show HEAD~1:.env", { shows: "commits", options: ["--no-walk"], words: ["HEAD~1:.env"] }],
  ["git show --stat HEAD", undefined],
  ["git show --stat -p HEAD", { shows: "commits", options: ["--no-walk"], words: ["HEAD"] }],
  ["git diff", { shows: "difference", options: [], words: [] }],
  ["git diff --name-only HEAD~1", undefined],
  ["git diff --staged", { shows: "difference", options: ["--cached"], words: [] }],
  ["git diff main...topic", { shows: "difference", options: [], words: ["main...topic"] }],
  ["git diff HEAD -- a b", { shows: "difference", options: [], words: ["HEAD"], paths: ["a", "b"] }],
  ["git stash show -p", everything],
  ["git stash list", undefined],
  ["git stash list -p", everything],
  ["git reflog", undefined],
  ["git reflog -p", everything],
  ["git blame -L 1,2 a.txt", { shows: "files", names: ["a.txt"] }],
  ["git grep token HEAD~1", { shows: "trees", options: [], words: ["HEAD~1"] }],
  ["git grep -e token", { shows: "trees", options: [], words: [] }],
  ["git cat-file -p HEAD:a/.env", { shows: "files", names: ["a/.env"] }],
  ["git cat-file -p 8baef1b", everything],
  ["git cat-file -t 8baef1b", undefined],
  ["git cat-file --batch", everything],
  ["git diff-tree -p HEAD", everything],
]

test.each(lines)("%s", (line, expected) => {
  expect(contentOf(line)).toEqual([expected && { ...expected, folders: ["/home/me/app"] }])
})

test("git runs where -C and cd lead", () => {
  expect(contentOf("cd sub && git -C deep show").at(-1)).toMatchObject({ folders: ["/home/me/app/sub/deep"] })
})
