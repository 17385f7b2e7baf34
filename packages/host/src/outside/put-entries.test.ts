import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { isMadeByGit } from "./put-entries.js"

test("what git init and git clone write is theirs", () => {
  const folder = mkdtempSync(join(tmpdir(), "haft-repository-"))
  execFileSync("git", ["init", "-q", join(folder, "a")])
  execFileSync("git", ["clone", "-q", join(folder, "a"), join(folder, "b")], { stdio: "ignore" })
  for (const name of ["a", "b"]) {
    const text = readFileSync(join(folder, name, ".git/config"), "utf8")
    expect(
      isMadeByGit("/x/.git/config", () => text),
      text,
    ).toBe(true)
  }
  rmSync(folder, { recursive: true, force: true })
})

const config = (text: string) => isMadeByGit("/x/.git/config", () => text)

test.each([
  "[core]\n\tpager = evil\n",
  "[core]\n\thooksPath = /tmp\n",
  "[core]\n\tsshCommand = evil\n",
  "[core] fsmonitor = evil\n",
  "[core]\n\tbare = false ; \\\n\tpager = x\n",
  "[include]\n\tpath = /tmp/x\n",
  "[alias]\n\tst = !evil\n",
  '[remote "o"]\n\turl = ext::sh -c evil\n',
  '[remote "o"]\n\turl = -uevil\n',
  '[remote "o"]\n\tuploadpack = evil\n',
  '[filter "x"]\n\tsmudge = evil\n',
  "pager = evil\n",
])("a configuration that could run something is not: %j", (text) => {
  expect(config(text)).toBe(false)
})

test.each([
  ["/x/.git/hooks/pre-commit.sample", true],
  ["/x/.git/hooks/pre-commit", false],
  ["/x/.git/hooks/a.sample/b", false],
  ["/x/.git/modules/sub/hooks/pre-commit", false],
  ["/x/.git/modules/sub/hooks/pre-commit.sample", true],
  ["/x/.git/modules/sub/objects/aa", true],
  ["/x/.git/modules/sub/info/attributes", false],
  ["/x/.git/info/attributes", false],
  ["/x/.vscode/tasks.json", false],
  ["/x/.npmrc", false],
])("%s: %s", (path, expected) => {
  expect(isMadeByGit(path, () => "[core]\n\tpager = evil\n")).toBe(expected)
})
