import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

/** The names of the default rules, without those that mean any number of them. */
const guarded = [
  ...[".git/hooks", ".git/config", ".git/config.worktree", ".git/info/attributes", ".git/modules", ".gitmodules"],
  ...[".husky", ".mcp.json", ".vscode", ".idea", ".zed", ".claude", ".codex", ".gemini", ".cursor", ".agents"],
  ...[".haft", "haft.jsonc", "haft.local.jsonc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".envrc"],
  ...[".env", ".cargo/config.toml", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".gitconfig"],
]

describe.each(backendsHere)("protected names behind %s", (backend) => {
  let ground: SandboxBench
  beforeEach(async () => {
    ground = await makeSandboxBench({ backend })
  })
  afterEach(() => ground.close())

  const git = (...args: string[]) => execFileSync("git", args, { cwd: ground.root, encoding: "utf8" })

  test("[C2-82] absent ones cannot be made, and nothing is left in the workspace afterwards", async () => {
    const names = guarded.filter((name) => name !== ".env")
    const { stdout } = await ground.run(
      `for n in ${names.join(" ")}; do mkdir -p "$(dirname $n)" 2>/dev/null; echo evil > $n 2>/dev/null && echo "wrote $n"; mkdir -p $n/sub 2>/dev/null && echo "made $n"; rmdir $n 2>/dev/null && echo "removed $n"; mv $n moved 2>/dev/null && echo "moved $n"; done; echo end`,
    )
    expect(stdout).toBe("end\n")
    expect(readdirSync(ground.root)).toEqual([])
  })

  test("existing ones cannot be changed, replaced or removed", async () => {
    git("init", "-q")
    mkdirSync(join(ground.root, ".vscode"))
    writeFileSync(join(ground.root, ".vscode/tasks.json"), "as it was")
    writeFileSync(join(ground.root, ".npmrc"), "as it was")
    const before = readFileSync(join(ground.root, ".git/config"), "utf8")
    await ground.run(
      "echo evil > .vscode/tasks.json; rm -rf .vscode .npmrc; echo evil > .npmrc; mv .npmrc x; echo evil >> .git/config; git config core.fsmonitor evil; echo evil > .git/hooks/post-checkout; chmod 777 .git/hooks; rm -rf .git/hooks",
    )
    expect(readFileSync(join(ground.root, ".vscode/tasks.json"), "utf8")).toBe("as it was")
    expect(readFileSync(join(ground.root, ".npmrc"), "utf8")).toBe("as it was")
    expect(readFileSync(join(ground.root, ".git/config"), "utf8")).toBe(before)
    expect(existsSync(join(ground.root, ".git/hooks/post-checkout"))).toBe(false)
  })

  test("files that are there in a root stay as they were", async () => {
    const there = guarded.filter((name) => !name.startsWith(".git/")).concat(".cargo/config", ".env.local")
    mkdirSync(join(ground.root, ".cargo"))
    for (const name of there) writeFileSync(join(ground.root, name), "as it was")
    const { quarantined } = await ground.run(
      `for n in ${there.join(" ")}; do echo evil >> $n; echo evil > x; mv x $n; cp /etc/hostname $n; sed -i s/was/evil/ $n; rm -f $n; mkdir $n; ln -sf /etc/hostname $n; mv $n away; done; mv .cargo other; mkdir .cargo; echo evil > .cargo/config`,
    )
    const now = Object.fromEntries(there.map((name) => [name, readFileSync(join(ground.root, name), "utf8")]))
    expect(now).toEqual(Object.fromEntries(there.map((name) => [name, "as it was"])))
    expect(quarantined).toEqual([])
  })

  test("renaming a folder above a protected name away does not help", async () => {
    git("init", "-q")
    const { stdout } = await ground.run(
      "mv .git away 2>/dev/null && echo moved; mv .git/info .git/info2 2>/dev/null && echo moved info; mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit 2>/dev/null && echo wrote; ls -d .git",
    )
    expect(stdout).toBe(".git\n")
    expect(existsSync(join(ground.root, "away"))).toBe(false)
    expect(existsSync(join(ground.root, ".git/hooks/pre-commit"))).toBe(false)
  })

  test("repositories deeper in the tree are held as well", async () => {
    mkdirSync(join(ground.root, "deep/inner"), { recursive: true })
    execFileSync("git", ["init", "-q"], { cwd: join(ground.root, "deep/inner") })
    await ground.run(
      "echo evil > deep/inner/.git/hooks/pre-commit; mv deep away; mkdir deep/inner/.husky; echo x > deep/inner/free",
    )
    expect(readdirSync(join(ground.root, "deep/inner")).sort()).toEqual([".git", "free"])
    expect(existsSync(join(ground.root, "deep/inner/.git/hooks/pre-commit"))).toBe(false)
  })

  test("two commands in parallel: when one ends, the other still cannot write an absent name", async () => {
    const first = ground.run("sleep 0.2")
    const second = ground.run(
      'for i in $(seq 40); do echo evil > .mcp.json && echo "wrote in round $i"; mkdir .husky/x && echo "made in round $i"; sleep 0.05; done 2>/dev/null; echo end',
    )
    await first
    const { stdout } = await second
    expect(stdout).toBe("end\n")
    expect(readdirSync(ground.root)).toEqual([])
  })

  test("an approved name is free for that one command", async () => {
    const approved = [join(ground.root, ".git/config"), ".vscode"]
    const { code } = await ground.run(
      "git init -q && git config user.name x && mkdir .vscode && echo x > .vscode/a && ! mkdir .idea",
      {
        sandbox: { approved },
      },
    )
    expect(code).toBe(0)
    expect(readdirSync(ground.root).sort()).toEqual([".git", ".vscode"])
    const after = await ground.run("echo x > .vscode/a; git config user.name y")
    expect(after.code).not.toBe(0)
  })

  test("a name that only a link could take is put back, and what was in its place is in quarantine", async () => {
    mkdirSync(join(ground.root, "shared"))
    symlinkSync("shared", join(ground.root, ".vscode"))
    const { quarantined } = await ground.run("rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json")
    expect(quarantined.map(({ path }) => path)).toEqual([join(ground.root, ".vscode")])
    expect(readFileSync(join(quarantined[0]!.movedTo!, "tasks.json"), "utf8")).toBe("evil\n")
    expect(existsSync(join(ground.root, ".vscode/tasks.json"))).toBe(false)
  })

  test("a file whose program cannot be a folder is taken away after the run", async () => {
    mkdirSync(join(ground.root, ".cargo"))
    const { quarantined } = await ground.run("echo evil > .cargo/config.toml")
    expect(quarantined).toHaveLength(1)
    expect(readdirSync(join(ground.root, ".cargo"))).toEqual([])
  })

  test("git works: add, commit, stash, branch, checkout, worktree, status", async () => {
    git("init", "-q", "-b", "main")
    git("config", "user.email", "a@example.org")
    git("config", "user.name", "a")
    const { code, stderr, stdout } = await ground.run(
      [
        "echo one > a && git add -A && git commit -qm one",
        "echo two > a && git stash -q && git stash pop -q",
        "git branch topic && git checkout -q topic && git commit -qam two",
        "git worktree add -q wt main && git worktree remove wt",
        "git gc -q && git status --porcelain && git log --oneline | wc -l && git ls-files",
      ].join(" && "),
    )
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout.trim().split("\n")).toEqual(["2", "a"])
    expect(git("status", "--porcelain")).toBe("")
  })

  test("a folder whose removal was allowed is removed with its protected names, and none of them may appear in it", async () => {
    git("init", "-q", "-b", "main")
    git("-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-q", "--allow-empty", "-m", "one")
    git("worktree", "add", "-q", "wt")
    git("worktree", "add", "-q", "other")
    const mayDelete = (path: string) => path === join(ground.root, "wt")
    const kept = await ground.run("git worktree remove other; echo evil > wt/.envrc", { mayDelete })
    expect(existsSync(join(ground.root, "other/.git"))).toBe(true)
    expect(kept.quarantined.map(({ path }) => path)).toEqual([join(ground.root, "wt/.envrc")])
    const { code, stderr } = await ground.run("git worktree remove wt", { mayDelete })
    expect([code, stderr]).toEqual([0, ""])
    expect(existsSync(join(ground.root, "wt"))).toBe(false)
  })

  test("a link in the place of such a folder does not lead the look after the run to files elsewhere", async () => {
    const outside = join(ground.base, "outside")
    mkdirSync(join(outside, ".cargo"), { recursive: true })
    for (const name of [".npmrc", ".cargo/config.toml"]) writeFileSync(join(outside, name), "as it was")
    mkdirSync(join(ground.root, "sub/.git"), { recursive: true })
    const { quarantined } = await ground.run(`rm -rf sub && ln -s ${outside} sub && echo x > haft.jsonc`, {
      mayDelete: (path) => path.startsWith(join(ground.root, "sub")),
    })
    expect(quarantined).toEqual([])
    expect(readdirSync(outside).sort()).toEqual([".cargo", ".npmrc"])
    expect(readdirSync(join(outside, ".cargo"))).toEqual(["config.toml"])
  })
})
