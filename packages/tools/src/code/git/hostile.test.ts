import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { setTrap, type Trap } from "../../../test/trap.js"
import { git } from "./index.js"

let bench: GitBench
let trap: Trap
beforeEach(() => {
  trap = setTrap()
})
afterEach(async () => {
  await bench?.close()
  trap.remove()
})

const sprung = () => trap.sprung()
const program = (name: string) => trap.program(name)

/** Settings that each start a program; the section says when. */
function hostileSettings(): readonly (readonly [string, string])[] {
  return [
    ["core.fsmonitor", program("fsmonitor")],
    ["core.hooksPath", join(trap.folder, "hooks")],
    ["core.pager", program("pager")],
    ["pager.status", program("pager-status")],
    ["pager.log", program("pager-log")],
    ["core.editor", program("editor")],
    ["sequence.editor", program("sequence-editor")],
    ["core.askPass", program("askpass")],
    ["core.sshCommand", program("ssh")],
    ["core.gitProxy", program("git-proxy")],
    ["core.alternateRefsCommand", program("alternate-refs")],
    ["credential.helper", `!${program("credential")}`],
    ["diff.external", program("external-diff")],
    ["diff.trap.command", program("diff-command")],
    ["diff.trap.textconv", program("textconv")],
    ["diff.submodule", "diff"],
    ["merge.trap.driver", program("merge-driver")],
    ["filter.trap.clean", program("clean")],
    ["filter.trap.smudge", program("smudge")],
    ["filter.process.process", program("filter-process")],
    ["filter.process.required", "true"],
    ["filter.a=b.clean", program("clean-equals")],
    ["filter.a=b.smudge", program("smudge-equals")],
    ["gpg.program", `${trap.folder}/run`],
    ["log.showSignature", "true"],
    ["commit.gpgSign", "true"],
    ["alias.status", `!${program("alias")}`],
    ["alias.stash", `!${program("alias")}`],
    ["interactive.diffFilter", program("diff-filter")],
    ["uploadpack.packObjectsHook", program("pack-objects")],
    ["submodule.recurse", "true"],
    ["status.submoduleSummary", "true"],
    ["protocol.allow", "always"],
    ["protocol.ext.allow", "always"],
    ["hook.trap.command", program("config-hook")],
    ["hook.trap.event", "post-checkout"],
    ["gc.auto", "1"],
  ]
}

const attributes =
  "*.txt diff=trap filter=trap merge=trap\n*.bin filter=process\n*.eq filter=a=b\n*.inc filter=included\n*.late filter=late\n"
const hooks = [
  ...["post-checkout", "post-index-change", "reference-transaction", "pre-commit", "post-commit", "prepare-commit-msg"],
  ...["commit-msg", "post-merge", "post-rewrite", "pre-auto-gc", "fsmonitor-watchman", "sendemail-validate"],
  ...["applypatch-msg", "pre-applypatch", "pre-rebase", "pre-push", "pre-receive", "update", "proc-receive"],
]

async function openHostile(): Promise<GitBench> {
  const opened = await openGitBench({
    ".gitattributes": attributes,
    "a.txt": "one\n",
    "b.bin": "b\n",
    "c.eq": "c\n",
    "d.inc": "d\n",
    "e.late": "e\n",
  })
  opened.git("branch", "other")
  await opened.workspace.write({ "a.txt": "two\n", "b.bin": "bb\n", "c.eq": "cc\n", "d.inc": "dd\n" })
  opened.git("commit", "--quiet", "--all", "--message=second")
  signHead(opened)
  addSubmodule(opened)
  plantHooks(join(opened.workspace.path, ".git/hooks"))
  plantHooks(join(trap.folder, "hooks"))
  for (const [key, value] of [...hostileSettings(), ...includeSettings()]) opened.git("config", "--add", key, value)
  return opened
}

function plantHooks(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of hooks) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${program(`hook-${name}`)}\n`)
    chmodSync(join(folder, name), 0o755)
  }
}

/** Settings in other files, some of which hold only on a branch or in a work tree that does not exist yet. */
function includeSettings(): readonly (readonly [string, string])[] {
  const places = { always: "include", branch: "includeIf.onbranch:side", tree: "includeIf.gitdir:**/worktrees/**" }
  return Object.entries(places).map(([name, place]) => {
    const file = join(trap.folder, `${name}.config`)
    // Drivers that no other setting names.
    const driver = name === "always" ? "included" : "late"
    const lines = [
      `[filter "${driver}"]`,
      `smudge = ${program(`include-${name}`)}`,
      `clean = ${program("include-clean")}`,
    ]
    writeFileSync(file, `${lines.join("\n")}\n`)
    return [`${place}.path`, file]
  })
}

/** Makes the last commit one whose signature wants to be checked. */
function signHead({ git: run, workspace }: GitBench): void {
  const [head, ...message] = run("cat-file", "commit", "HEAD").split("\n\n")
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----"
  writeFileSync(join(trap.folder, "commit"), `${head}\n${signature}\n\n${message.join("\n\n")}`)
  const id = run("hash-object", "-t", "commit", "-w", join(trap.folder, "commit")).trim()
  execFileSync("git", ["update-ref", "HEAD", id], { cwd: workspace.path })
}

/** A repository inside the repository with settings of its own, and an address that names a program. */
function addSubmodule({ git: run, workspace }: GitBench): void {
  const inner = join(workspace.path, "inner")
  mkdirSync(inner)
  run("-C", inner, "init", "--quiet")
  writeFileSync(join(inner, ".gitattributes"), "* filter=inner diff=inner\n")
  writeFileSync(join(inner, "x.txt"), "x\n")
  run("-C", inner, "add", "--all")
  run("-C", inner, "commit", "--quiet", "--message=inner")
  run("add", "inner")
  writeFileSync(
    join(workspace.path, ".gitmodules"),
    `[submodule "inner"]\n\tpath = inner\n\turl = ext::${program("ext")}\n`,
  )
  run("add", ".gitmodules")
  run("commit", "--quiet", "--message=third")
  writeFileSync(join(inner, "x.txt"), "changed\n")
  run("config", "submodule.inner.url", `ext::${program("ext")}`)
  run("config", "submodule.inner.ignore", "none")
  run("-C", inner, "config", "core.fsmonitor", program("inner-fsmonitor"))
  run("-C", inner, "config", "filter.inner.clean", program("inner-clean"))
  run("-C", inner, "config", "diff.inner.command", program("inner-diff"))
  plantHooks(join(inner, ".git/hooks"))
}

/** Every command in every form, after changes that make filters and drivers needed. */
const calls: readonly object[] = [
  { command: "status" },
  { command: "log" },
  { command: "log", path: "a.txt" },
  { command: "remote" },
  { command: "branch" },
  { command: "branch", name: "side2" },
  { command: "diff" },
  { command: "diff", target: "other" },
  { command: "diff", target: "other..HEAD" },
  { command: "diff", target: "other...HEAD", path: "a.txt" },
  { command: "stash", message: "aside" },
  { command: "stash" },
  { command: "checkout", ref: "other" },
  { command: "checkout", ref: "main", force: true },
  { command: "checkout", ref: "HEAD~1" },
  { command: "checkout", ref: "main" },
  { command: "worktree", subcommand: "create", name: "side", path: "trees/side" },
  { command: "worktree" },
  { command: "worktree", subcommand: "remove", path: "trees/side" },
  { command: "worktree", subcommand: "create", name: "other", path: "trees/other", new_branch: false },
  { command: "worktree", subcommand: "remove", path: "trees/other", force: true },
]

describe("a hostile repository", () => {
  test.each([
    ["with settings that depend on the work tree", true],
    ["with settings that hold everywhere", false],
  ])(
    "%s runs nothing on any of the commands, without any sandbox",
    async (_, conditional) => {
      bench = await openHostile()
      if (!conditional) for (const [key] of includeSettings().slice(1)) bench.git("config", "--unset-all", key)
      const names = new Set<string>()
      for (const call of calls) {
        await bench.workspace.write({
          "a.txt": "changed\n",
          "b.bin": "changed\n",
          "c.eq": "changed\n",
          "new.txt": "new\n",
        })
        const done = await bench.run(git, "ref" in call && !("force" in call) ? { ...call, force: true } : call)
        for (const name of done.data.neutralised ?? []) names.add(name)
        expect(sprung(), JSON.stringify(call)).toEqual([])
      }
      const late = conditional ? ["filter.late"] : []
      const everywhere = ["filter.process", "filter.trap", "hook.trap", "merge.trap"]
      expect([...names].sort()).toEqual(["diff.trap", "filter.a=b", "filter.included", ...late, ...everywhere])
      expect(existsSync(join(bench.home, "canary"))).toBe(false)
    },
    120_000,
  )

  test("the traps are real: plain git springs each of them", async () => {
    bench = await openHostile()
    const { workspace } = bench
    const settings = await workspace.readText(".git/config")
    const attempts: readonly (readonly [key: RegExp, canary: string, ...args: string[]])[] = [
      [/^core\.fsmonitor/, "fsmonitor", "status"],
      [/^core\.hooksPath/, "hook-post-checkout", "checkout", "--force", "other"],
      [/^diff\.external/, "external-diff", "diff"],
      [/^diff\.trap\.command/, "diff-command", "diff"],
      [/^diff\.trap\.textconv/, "textconv", "diff"],
      [/^diff\.submodule/, "inner-diff", "diff", "--submodule=diff"],
      [/^filter\.trap\.clean/, "clean", "diff"],
      [/^filter\.trap\.smudge/, "smudge", "checkout", "--force", "other"],
      [/^filter\.process/, "filter-process", "checkout", "--force", "other"],
      [/^filter\.a=b\.smudge/, "smudge-equals", "checkout", "--force", "other"],
      [/^(gpg\.program|log\.)/, "--keyid-format=long", "log"],
      [/^include\./, "include-always", "checkout", "--force", "other"],
      [/^includeIf\.onbranch/, "include-branch", "worktree", "add", "-b", "side", "trees/side", "main"],
      [/^includeIf\.gitdir.*tree/, "include-tree", "worktree", "add", "-b", "tree", "trees/tree", "main"],
      [/^nothing/, "inner-clean", "status"],
    ]
    for (const [wanted, canary, ...args] of attempts) {
      const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null" }
      const run = (...words: readonly string[]) =>
        execFileSync("git", words, { cwd: workspace.path, stdio: "ignore", env })
      await workspace.write({ ".git/config": "[core]\n\trepositoryformatversion = 0\n" })
      rmSync(join(workspace.path, ".git/hooks"), { recursive: true, force: true })
      run("checkout", "--quiet", "--force", "main")
      await workspace.write({ "a.txt": "changed\n" })
      for (const [key, value] of [...hostileSettings(), ...includeSettings()]) {
        if (wanted.test(`${key} ${value}`)) run("config", "--add", key, value)
      }
      try {
        run(...args)
      } catch {
        // A trap that ends with a failure.
      }
      expect(sprung(), canary).toContain(canary)
    }
    expect(settings).toContain("trap")
  }, 60_000)
})
