import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { everythingOf, type ShellWorld, sandboxIsHere, shellWorld } from "./shell-world.js"

const secret = "c0ffee-5ecret-va1ue"

function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
  return execFileSync("git", ["-C", folder, ...identity, ...args], { encoding: "utf8", stdio: "pipe" }).trim()
}

function commit(world: ShellWorld, name: string, content: string | null): void {
  if (content === null) rmSync(world.path(name))
  else writeFileSync(world.path(name), content)
  git(world.root, "add", "-A", "-f", name)
  git(world.root, "commit", "-m", name)
}

/** A repository whose `.env` was committed once and removed, with ordinary work before and after. */
async function oldSecret(): Promise<ShellWorld> {
  const world = await shellWorld({ "a.txt": "one\n" })
  git(world.root, "init", "-b", "main")
  commit(world, "a.txt", "one\n")
  commit(world, ".env", `KEY=${secret}\n`)
  git(world.root, "tag", "old")
  commit(world, ".env", null)
  for (const text of ["two\n", "three\n", "four\n", "five\n"]) commit(world, "a.txt", text)
  return world
}

test.skipIf(!sandboxIsHere)("commands that can print an old .env ask, and headless print nothing of it", async () => {
  await using world = await oldSecret()
  const blob = git(world.root, "rev-parse", "old:.env")
  git(world.root, "tag", "blob", blob)
  for (const command of [
    "git show old:.env",
    "git show HEAD~5:.env",
    "git log -p",
    "git log -p old",
    "git log -p --all",
    "git log -p -1 HEAD~4",
    "git diff old",
    "git diff HEAD~5",
    "git diff old HEAD",
    "git diff old..",
    "git diff HEAD~4^!",
    "git show HEAD~4",
    "git show old",
    `git show ${blob}`,
    "git show blob",
    `git cat-file -p ${blob}`,
    "git cat-file -p old:.env",
    "git cat-file --batch-all-objects --batch",
    "git blame old -- .env",
    "git grep KEY old",
    "git archive old",
    "git log -p -S KEY",
    "git reflog -p",
    "git log -g -p",
    "bash -c 'git log -p'",
    "cd . && git -C . log -p",
  ]) {
    const envelope = await world.session.call("bash", { command })
    expect(envelope, command).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect(everythingOf(envelope), command).not.toContain(secret)
    const { ladder } = await world.session.explain("bash", { command })
    expect(ladder.reason, command).toMatch(/it can print .* from what git keeps, and rules deny reading that/)
  }
})

test.skipIf(!sandboxIsHere)("an ordinary day in that repository asks nothing", async () => {
  await using world = await oldSecret()
  git(world.root, "checkout", "-q", "-b", "topic")
  commit(world, "b.txt", "b\n")
  writeFileSync(world.path("a.txt"), "changed\n")
  git(world.root, "add", "a.txt")
  let asked = 0
  for (const command of [
    "git status",
    "git status -v",
    "git diff",
    "git diff a.txt",
    "git diff --staged",
    "git diff HEAD",
    "git diff HEAD~1",
    "git diff main..topic",
    "git diff main...HEAD -- b.txt",
    "git diff --stat old",
    "git show",
    "git show HEAD",
    "git show HEAD~2 -- a.txt",
    "git show HEAD:a.txt",
    "git show --stat old",
    "git log --oneline -20",
    "git log -p -3",
    "git log -p main..topic",
    "git blame a.txt",
    "git grep one",
    "git branch -a",
    "git cat-file -p HEAD:a.txt",
  ]) {
    const { type } = await world.session.call("bash", { command })
    if (type === "error") asked++
    expect(type, command).toBe("output")
  }
  expect(asked).toBe(0)
})

test.skipIf(!sandboxIsHere)("a .env in a stash, in the index, or in HEAD alone asks", async () => {
  await using world = await shellWorld({ "a.txt": "one\n" })
  git(world.root, "init", "-b", "main")
  commit(world, "a.txt", "one\n")
  writeFileSync(world.path(".env"), `KEY=${secret}\n`)
  git(world.root, "add", "-f", ".env")
  const refused = async (command: string) => {
    const envelope = await world.session.call("bash", { command })
    expect(envelope.type, command).toBe("error")
    expect(everythingOf(envelope), command).not.toContain(secret)
  }
  await refused("git diff --cached")
  await refused("git status -v")
  await refused("git grep --cached KEY")
  git(world.root, "stash")
  expect((await world.session.call("bash", { command: "git diff --cached" })).type).toBe("output")
  await refused("git stash show -p")
  await refused("git show stash@{0}")
  await refused("git log -p -1 stash")
  git(world.root, "stash", "pop")
  git(world.root, "commit", "-m", "secret")
  git(world.root, "rm", "-q", "--cached", ".env")
  await refused("git diff --staged")
})

test.skipIf(!sandboxIsHere)("mode auto and an allow for git do not lift it; an allow for the file does", async () => {
  await using world = await oldSecret()
  const command = "git show old:.env"
  const verdictWith = async (options: Parameters<ShellWorld["open"]>[0]) =>
    (await (await world.open(options)).explain("bash", { command })).ladder.verdict
  const allowGit = { permission: "bash", pattern: "git *", action: "allow" } as const
  const allowFile = { permission: "fs.read", pattern: ".env", action: "allow" } as const
  expect(await verdictWith({ mode: "auto" })).toBe("deny")
  expect(await verdictWith({ rules: [allowGit] })).toBe("deny")
  expect(await verdictWith({ rules: [allowFile] })).toBe("allow")
})

test.skipIf(!sandboxIsHere)("a repository further down is asked about itself", async () => {
  await using world = await shellWorld({ "a.txt": "one\n" })
  const inner = join(world.root, "inner")
  mkdirSync(inner)
  writeFileSync(join(inner, ".env"), `KEY=${secret}\n`)
  git(inner, "init", "-b", "main")
  git(inner, "add", "-A")
  git(inner, "commit", "-m", "one")
  expect((await world.session.call("bash", { command: "git -C inner log -p" })).type).toBe("error")
  expect((await world.session.call("bash", { command: "cd inner; git log --oneline" })).type).toBe("output")
})

test.skipIf(!sandboxIsHere)(
  "patterns of a hostile .gitignore hold the git tool up for seconds, not for minutes",
  async () => {
    await using world = await shellWorld({ ".gitignore": `${"*a".repeat(12)}*b\n`, [`${"a".repeat(200)}.txt`]: "" })
    git(world.root, "init")
    const envelope = await world.session.call("git", { command: "status" })
    expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "timeout" } })
    expect(everythingOf(envelope)).toContain("it did not end within 15000 ms")
  },
)

test.skipIf(!sandboxIsHere)(
  "an entry in the index does not open a key, neither for read nor for a command",
  async () => {
    await using world = await shellWorld({ "k.pem": `${secret}\n`, "fixture.pem": "public\n" })
    git(world.root, "init")
    git(world.root, "add", "fixture.pem")
    git(world.root, "commit", "-m", "one")
    const session = await world.open()
    const forge =
      'git update-index --add --cacheinfo "100644,$(git hash-object -w --stdin < /dev/null),k.pem"; git ls-files'
    const forged = await session.call("bash", { command: forge }, { answer: "once" })
    expect(everythingOf(forged)).toContain("k.pem")
    for (const late of [session, await world.open()]) {
      for (const call of [
        late.call("read", { file_path: "k.pem" }),
        late.call("grep", { pattern: "5ecret" }),
        late.call("bash", { command: "cat k.pem" }, { answer: "once" }),
        late.call("bash", { command: "python3 -c \"print(open('k.pem').read())\"" }, { answer: "once" }),
      ])
        expect(everythingOf(await call)).not.toContain(secret)
      expect((await late.call("read", { file_path: "fixture.pem" })).type).toBe("output")
    }
  },
)

test.skipIf(!sandboxIsHere)("the files in which git keeps objects are not printed either", async () => {
  await using world = await oldSecret()
  const blob = git(world.root, "rev-parse", "old:.env")
  const object = `${blob.slice(0, 2)}/${blob.slice(2)}`
  for (const command of [
    `base64 .git/objects/${object}`,
    `cd .git/objects && xxd ${object}`,
    `cat < .git/objects/${object} | base64`,
    "base64 .git/*/*/*",
  ]) {
    expect((await world.session.call("bash", { command })).type, command).toBe("error")
  }
  expect((await world.session.call("bash", { command: "ls .git && cat .git/HEAD" })).type).toBe("output")
})

test.skipIf(!sandboxIsHere)("a line that moves HEAD or the index prints no old .env after it", async () => {
  await using world = await oldSecret()
  const session = await world.open({ mode: "auto" })
  for (const command of [
    "git checkout -q old && git show",
    "git reset -q --soft old; git log -p -1",
    "git -C . update-ref refs/heads/main old; git show HEAD",
    "git replace HEAD old; git show HEAD",
    "git restore --staged --source=old .; git diff --cached",
    "cp .git/refs/tags/old .git/refs/heads/main; git show",
  ]) {
    const envelope = await session.call("bash", { command })
    expect(envelope, command).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
  }
  for (const command of ["echo x >> a.txt; git add -A && git diff --cached", "git commit -qm x && git show"]) {
    expect((await session.call("bash", { command })).type, command).toBe("output")
  }
})

test.skipIf(!sandboxIsHere)("a .env that comes out of the stash is not printed by the same line", async () => {
  await using world = await oldSecret()
  const session = await world.open({ mode: "accept-edits" })
  const unpack = "git stash apply -q; cat .e*"
  expect((await session.call("bash", { command: unpack })).type, "an empty stash").toBe("output")
  writeFileSync(world.path("a.txt"), "stashed\n")
  git(world.root, "stash")
  expect((await session.call("bash", { command: "git stash pop -q; cat a.txt" })).type).toBe("output")
  git(world.root, "checkout", "-q", "a.txt")
  writeFileSync(world.path(".env"), `KEY=${secret}\n`)
  git(world.root, "add", "-f", ".env")
  git(world.root, "stash")
  const envelope = await session.call("bash", { command: unpack })
  expect(envelope.type).toBe("error")
  expect(everythingOf(envelope)).not.toContain(secret)
})

test.skipIf(!sandboxIsHere)("renames and filters do not lead past the commit that shows it", async () => {
  await using world = await oldSecret()
  writeFileSync(world.path(".env"), "KEY=1\nTWO=2\nTHREE=3\nFOUR=4\nFIVE=5\n")
  git(world.root, "add", "-f", ".env")
  git(world.root, "commit", "-m", "again")
  git(world.root, "mv", ".env", "settings.txt")
  writeFileSync(world.path("settings.txt"), "KEY=2\nTWO=2\nTHREE=3\nFOUR=4\nFIVE=5\n")
  git(world.root, "commit", "-am", "rename")
  commit(world, "b.txt", "uses KEY\n")
  git(world.root, "mv", "b.txt", "c.txt")
  git(world.root, "commit", "-m", "rename b")
  for (const command of ["git log -p -M --diff-filter=R -2", "git log -p -1 --skip=1 -S KEY", "git log -p -3 -S KEY"])
    expect((await world.session.call("bash", { command })).type, command).toBe("error")
})

test.skipIf(!sandboxIsHere)(
  "a key that was committed and removed asks; one that is still committed does not",
  async () => {
    await using world = await shellWorld({ "a.txt": "one\n" })
    git(world.root, "init", "-b", "main")
    commit(world, "old.pem", `${secret}\n`)
    commit(world, "test.pem", "of the tests\n")
    commit(world, "old.pem", null)
    const session = await world.open()
    for (const command of ["git show HEAD~1:old.pem", "git show HEAD", "git log -p"]) {
      const envelope = await session.call("bash", { command })
      expect(envelope.type, command).toBe("error")
      expect(everythingOf(envelope), command).not.toContain(secret)
    }
    for (const command of ["git show HEAD~1", "git show HEAD:test.pem"])
      expect((await session.call("bash", { command })).type, command).toBe("output")
  },
)
