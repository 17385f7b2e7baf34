import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isPlainSettings, leadsInto } from "./made-by-git.js"

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-settings-")))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const never = () => false
const hasGit = spawnSync("git", ["--version"]).status === 0

describe("settings of a repository", () => {
  test.each([
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
    '[remote "origin"]\n\turl = https://example.org/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A B\n\temail = a@example.org\n',
    '[submodule "a/b"]\n\turl = git@example.org:a/b\n\tactive = true\n; a comment\n# [core]\n\n',
    "",
  ])("that git itself writes: %j", (text) => {
    expect(isPlainSettings(text, never)).toBe(true)
  })

  test.each([
    ["a program", "[core]\n\tfsmonitor = evil\n"],
    ["in capital letters", "[CORE]\n\tFSMonitor = evil\n"],
    ["behind its header", "[core] fsmonitor = evil\n"],
    ["behind a continued line", "[core]\n\tbare = false\\\n\tfsmonitor = evil\n"],
    ["without a value", "[core]\n\tfsmonitor\n"],
    ["hooks elsewhere", "[core]\n\thooksPath = /tmp\n"],
    ["another file", "[include]\n\tpath = /tmp/x\n"],
    ["another file under a condition", '[includeIf "gitdir:/"]\n\tpath = /tmp/x\n'],
    ["an alias", "[alias]\n\tst = !evil\n"],
    ["a filter", '[filter "x"]\n\tclean = evil\n'],
    ["a program that fetches", '[remote "origin"]\n\turl = ext::sh -c evil\n'],
    ["a quoted program that fetches", '[remote "origin"]\n\turl = "ext::sh -c evil"\n'],
    ["an option", '[remote "origin"]\n\turl = --upload-pack=evil\n'],
    ["a program at the other end", '[remote "origin"]\n\tuploadpack = evil\n'],
    ["an update by a program", '[submodule "x"]\n\tupdate = !evil\n'],
    ["a section of the old kind", "[remote.origin]\n\turl = ext::evil\n"],
    ["a tree elsewhere", "[core]\n\tworktree = /etc\n"],
    ["a key before any section", "bare = false\n"],
    ["a line break of another kind", "[core]\r\n\tbare = false\r[core]\n"],
    ["a NUL", "[core]\n\tbare = false\0\n"],
    ["an escaped section", '[branch "a\\"]\n[core]\n\tfsmonitor = x\n"]\n'],
  ])("with %s are none that git itself writes", (_, text) => {
    expect(isPlainSettings(text, never)).toBe(false)
  })

  test("a tree counts where it is one of these folders", () => {
    expect(isPlainSettings("[core]\n\tworktree = ../../sub\n", (value) => value === "../../sub")).toBe(true)
  })

  /** What git itself writes, so that nothing is expected of it that is not in the list. */
  const harmless =
    /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks|autocrlf)|user\.(name|email)|remote\..*\.(url|fetch)|branch\..*\.(remote|merge)|submodule\..*\.(url|active))$/s

  test.runIf(hasGit)("nothing that git reads in them is missed", () => {
    const piece = fc.constantFrom(
      ...["[core]", "[CORE]", '[remote "o"]', '[branch "a b"]', "[alias]", "[include]", '[submodule "x"]', "[user]"],
      ...[
        "bare",
        "filemode",
        "fsmonitor",
        "hooksPath",
        "url",
        "fetch",
        "name",
        "path",
        "update",
        "merge",
        "sshCommand",
      ],
      ...[
        " = ",
        "=",
        "\n",
        "\n\t",
        "\n",
        "\t",
        " ",
        "\\\n",
        "\\",
        '"',
        "#",
        ";",
        "]",
        "[",
        "\r\n",
        "\0",
        "\u{feff}",
        ".",
      ],
      ...["true", "x", "ext::sh", "https://a.example", "!evil", "é"],
    )
    const line = fc.constantFrom(
      ...["[core]\n", "\tbare = false\n", "\tfilemode = true\n", '[remote "o"]\n', "\turl = https://a.example/x\n"],
      ...["\tfetch = +a:b\n", "[user]\n", "\tname = A B\n", "# x\n", "\n"],
    )
    const text = fc
      .array(fc.oneof({ arbitrary: line, weight: 5 }, { arbitrary: piece, weight: 1 }), { maxLength: 14 })
      .map((parts) => parts.join(""))
    const file = join(folder, "settings")
    let plain = 0
    fc.assert(
      fc.property(text, (written) => {
        if (!isPlainSettings(written, never)) return
        writeFileSync(file, written)
        const { stdout, status } = spawnSync("git", ["config", "--file", file, "--list", "--name-only", "-z"])
        if (status !== 0) return
        plain += 1
        const keys = stdout.toString().split("\0").filter(Boolean)
        expect(keys.filter((key) => !harmless.test(key))).toEqual([])
      }),
      { numRuns: 1500 },
    )
    expect(plain).toBeGreaterThan(50)
  })

  test.runIf(hasGit)("every way to make a repository is covered", () => {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "pipe" })
    git("init", "-q", "one")
    git("-C", "one", "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "--allow-empty", "-m", "x")
    git("clone", "-q", "one", "two")
    git("clone", "-q", "--bare", "one", "three.git")
    git("init", "-q", "--shared", "four")
    git("-C", "two", "sparse-checkout", "set", "a")
    git("-C", "two", "checkout", "-q", "-b", "other", "--track", "origin/HEAD")
    const paths = [
      "one/.git/config",
      "two/.git/config",
      "two/.git/config.worktree",
      "three.git/config",
      "four/.git/config",
    ]
    for (const path of paths) {
      expect([path, isPlainSettings(readFileSync(join(folder, path), "utf8"), never)]).toEqual([path, true])
    }
  })
})

test("a file that says where a repository is leads into a folder or away from it", () => {
  const [inside, outside] = ["inside", "outside"].map((name) => join(folder, name))
  mkdirSync(join(inside!, "repository"), { recursive: true })
  mkdirSync(outside!)
  symlinkSync(outside!, join(inside!, "link"))
  const cases = [
    ["gitdir: repository\n", true],
    [`gitdir: ${inside}/repository`, true],
    ["gitdir: ../outside", false],
    ["gitdir: link", false],
    ["gitdir: link/../../outside/x", false],
    ["gitdir: /nowhere/at/all", false],
    ["gitdir: not-yet", true],
    ["../..", false],
  ] as const
  for (const [text, expected] of cases) {
    const file = join(inside!, ".git")
    writeFileSync(file, text)
    expect([text, leadsInto(file, inside!, [inside!])]).toEqual([text, expected])
  }
})
