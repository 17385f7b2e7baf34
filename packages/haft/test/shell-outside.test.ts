import { execFileSync } from "node:child_process"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { scriptedPerson } from "@haft/testkit"
import { describe, expect, test } from "vitest"
import { sandboxIsHere, shellWorld } from "./shell-world.js"

describe.skipIf(!sandboxIsHere)("a command that writes outside the workspace, with a person there", () => {
  test.each([
    ["echo x > ../q", "../q"],
    ["touch ../q", "../q"],
    ["mkdir ../q", "../q"],
    ["echo x | tee ../q", "../q"],
    ["cp a.txt ../q", "../q"],
    ["git clone ./repository ../q", "../q"],
    ["sh a.txt > ../q", "../q"],
    ["rm ../q", "../q"],
  ])("%s asks, names the path, and does nothing when the person says no", async (command, path) => {
    const person = scriptedPerson({ asks: [{ answer: "reject", reason: "not there" }] })
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { person })
    const outside = join(world.root, path)
    const { type, metadata } = await world.session.call("bash", { command })
    expect({ type, code: metadata.error_code }).toEqual({ type: "error", code: "denied" })
    expect(person.asked).toHaveLength(1)
    const { ladder } = person.asked[0]!
    expect(ladder.reason).toContain(`outside the workspace: "${outside}"`)
    expect(ladder.findings.map(({ subject }) => subject)).toContain(outside)
    expect(existsSync(outside)).toBe(false)
  })

  test("asks without a sandbox, too", async () => {
    const person = scriptedPerson({ asks: [{ answer: "reject" }] })
    await using world = await shellWorld({}, { person, sandbox: { policy: "off" } })
    const { metadata } = await world.session.call("bash", { command: "echo x > ../q" })
    expect([metadata.error_code, person.asked.length]).toEqual(["denied", 1])
  })

  test("an answer does not hold for a file that changed while the question was open", async () => {
    const asked: { path?: string } = {}
    const answer = () => {
      writeFileSync(asked.path!, "changed meanwhile\n")
      return { answer: "once" } as const
    }
    await using world = await shellWorld({}, { person: scriptedPerson({ asks: [answer] }) })
    asked.path = join(world.root, "../q")
    writeFileSync(asked.path, "former\n")
    const { metadata } = await world.session.call("bash", { command: "echo x > ../q" })
    expect(metadata.error_code).toBe("conflict")
    expect(readFileSync(asked.path, "utf8")).toBe("changed meanwhile\n")
  })

  test("a rule for the program is no answer for a file outside", async () => {
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { rules: [{ permission: "bash", action: "allow" }] })
    const { error_text, metadata } = (await world.session.call("bash", { command: "cp a.txt ../q" })) as never
    expect({ error_text, metadata }).toMatchObject({
      error_text: expect.stringContaining(`outside the workspace: "${join(world.root, "../q")}"`),
      metadata: { error_code: "denied" },
    })
    expect(existsSync(join(world.root, "../q"))).toBe(false)
  })

  test("mode auto answers for no file outside", async () => {
    const person = scriptedPerson({ asks: [{ answer: "reject" }] })
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { person, mode: "auto" })
    await world.session.call("bash", { command: "cp a.txt inside.txt" })
    expect(person.asked).toHaveLength(0)
    await world.session.call("bash", { command: "cp a.txt ../q" })
    expect(person.asked).toHaveLength(1)
  })
})

/** Everything below a folder, by its path: the content of files, the text of links; the workspace and Haft's own left out. */
function treeOf(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = join(below, name)
    if (["workspace", "state", "config"].includes(path)) continue
    const facts = lstatSync(join(folder, path))
    const mode = (facts.mode & 0o7777).toString(8)
    if (facts.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`
    else if (facts.isFile()) found[path] = `${mode} ${readFileSync(join(folder, path), "latin1")}`
    else {
      found[path] = mode
      Object.assign(found, treeOf(folder, path))
    }
  }
  return found
}

describe.skipIf(!sandboxIsHere)("an approved write outside the workspace", () => {
  const prepare = (base: string) => {
    writeFileSync(join(base, "old.txt"), "one\ntwo\n", { mode: 0o640 })
    mkdirSync(join(base, "dir/deep"), { recursive: true })
    writeFileSync(join(base, "dir/a"), "a\n")
    writeFileSync(join(base, "dir/deep/b"), "b\n", { mode: 0o755 })
    symlinkSync("a", join(base, "dir/link"))
    writeFileSync(join(base, "neighbour"), "untouched\n")
  }
  const files = { "a.txt": "alpha\n", "sub/x": "x\n", "sub/y/z": "z\n" }

  const cases: readonly [command: string, after: Record<string, string | undefined>][] = [
    ["echo hi > ../o.txt && ls -l ../o.txt", { "o.txt": "644 hi\n" }],
    ["echo three >> ../old.txt", { "old.txt": "640 one\ntwo\nthree\n" }],
    ["touch ../o", { o: "644 " }],
    ["mkdir ../m", { m: "755" }],
    ["mkdir -p ../m/n/o", { m: "755", "m/n": "755", "m/n/o": "755" }],
    ["echo hi | tee ../t ../old.txt", { t: "644 hi\n", "old.txt": "640 hi\n" }],
    ["cp a.txt ..", { "a.txt": "644 alpha\n" }],
    ["cp a.txt ../dir/deep/b", { "dir/deep/b": "755 alpha\n" }],
    ["cp -r sub ../copy", { copy: "755", "copy/x": "644 x\n", "copy/y": "755", "copy/y/z": "644 z\n" }],
    ["cp -r sub ../dir", { "dir/sub": "755", "dir/sub/x": "644 x\n", "dir/sub/y": "755", "dir/sub/y/z": "644 z\n" }],
    ["sed -i s/two/zwei/ ../old.txt", { "old.txt": "640 one\nzwei\n" }],
    ["mv a.txt ../moved.txt", { "moved.txt": "644 alpha\n" }],
    ["mv ../old.txt ../new.txt", { "old.txt": undefined, "new.txt": "640 one\ntwo\n" }],
    [
      "mv ../dir ../dir2",
      {
        ...{
          dir: undefined,
          "dir/a": undefined,
          "dir/deep": undefined,
          "dir/deep/b": undefined,
          "dir/link": undefined,
        },
        ...{ dir2: "755", "dir2/a": "644 a\n", "dir2/deep": "755", "dir2/deep/b": "755 b\n", "dir2/link": "-> a" },
      },
    ],
    ["rm ../old.txt", { "old.txt": undefined }],
    ["rm ../dir/link", { "dir/link": undefined }],
    [
      "rm -r ../dir",
      { dir: undefined, "dir/a": undefined, "dir/deep": undefined, "dir/deep/b": undefined, "dir/link": undefined },
    ],
    ["chmod 600 ../dir/a", { "dir/a": "600 a\n" }],
    ["ln -s old.txt ../l", { l: "-> old.txt" }],
    [
      "rm -r ../dir && echo file > ../dir",
      {
        ...{ dir: "644 file\n", "dir/a": undefined, "dir/deep": undefined, "dir/deep/b": undefined },
        "dir/link": undefined,
      },
    ],
    ["echo x > ../o; exit 3", { o: "644 x\n" }],
  ]

  test.each(cases)("%s is real, is observed, and is undone", async (command, after) => {
    await using world = await shellWorld(files)
    const base = join(world.root, "..")
    prepare(base)
    const former = treeOf(base)
    const envelope = await world.session.call("bash", { command }, { answer: "once" })
    const expected: Record<string, string> = { ...former }
    for (const [path, state] of Object.entries(after)) {
      if (state === undefined) delete expected[path]
      else expected[path] = state
    }
    expect(envelope, JSON.stringify(envelope)).toMatchObject({ type: "output" })
    expect(treeOf(base)).toEqual(expected)
    const changes = (envelope as { data: { changes?: { written: string[]; deleted: string[] } } }).data.changes!
    const told = [...changes.written, ...changes.deleted].filter((path) => path.startsWith("/"))
    const covers = (path: string) =>
      told.some((each) => join(base, path) === each || join(base, path).startsWith(`${each}/`))
    const changed = Object.keys(after).filter((path) => !covers(path))
    // Of folders that were made on the way only the last is told.
    expect(changed.every((path) => told.some((each) => each.startsWith(`${join(base, path)}/`)))).toBe(true)
    await world.undo()
    expect(treeOf(base)).toEqual(former)
    expect(
      readdirSync(join(world.home, "sessions")).flatMap((id) =>
        readdirSync(join(world.home, "sessions", id, "outside")),
      ),
    ).toEqual([])
  })

  test("git clone leaves a working repository, and undo takes all of it away", async () => {
    await using world = await shellWorld()
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { encoding: "utf8" })
    git("init", "-q", "-b", "main", world.path("source"))
    writeFileSync(world.path("source/file"), "content\n")
    git("-C", world.path("source"), "add", ".")
    git("-C", world.path("source"), "commit", "-qm", "one")
    const clone = join(world.root, "../clone")
    const former = treeOf(join(world.root, ".."))
    expect(await world.run("git clone source ../clone")).toMatchObject({ exit_code: 0 })
    expect(readFileSync(join(clone, "file"), "utf8")).toBe("content\n")
    expect(git("-C", clone, "status", "--short", "--branch")).toBe("## main...origin/main\n")
    expect(git("-C", clone, "log", "--format=%s")).toBe("one\n")
    await world.undo()
    expect(existsSync(clone)).toBe(false)
    expect(treeOf(join(world.root, ".."))).toEqual(former)
  })
})

describe.skipIf(!sandboxIsHere)("an enemy behind an approved name", () => {
  const beside = (world: { root: string }, name: string) => join(world.root, "..", name)
  const textOf = (path: string) => readFileSync(path, "utf8")
  const noteOf = ({ changes }: { readonly changes?: { readonly note?: string | undefined } | undefined }) =>
    changes?.note

  test("writes nothing beside it, and is told so", async () => {
    const script =
      "echo evil > ../neighbour; cat ../neighbour; echo evil > ../other; rm -f ../neighbour; mv ../neighbour ../n; true"
    await using world = await shellWorld({ "evil.sh": script })
    writeFileSync(beside(world, "neighbour"), "private\n")
    const result = await world.run("sh evil.sh > ../o")
    expect(result.stderr).toMatch(/neighbour: (Read-only file system|Permission denied)/)
    expect(textOf(beside(world, "neighbour"))).toBe("private\n")
    expect(textOf(beside(world, "o"))).toBe("")
    expect(existsSync(beside(world, "other"))).toBe(false)
    expect(noteOf(result)).toContain(
      `Not written, because only "${beside(world, "o")}" may be: "${beside(world, "other")}"`,
    )
  })

  test("reads a neighbour only where the command was judged to read it", async () => {
    await using world = await shellWorld()
    writeFileSync(beside(world, "neighbour"), "known\n")
    expect((await world.run("python3 -c \"print(open('../neighbour').read())\" > ../o")).stderr).toContain(
      "PermissionError",
    )
    expect(await world.run("cp ../neighbour ../o")).toMatchObject({ exit_code: 0 })
    expect(textOf(beside(world, "o"))).toBe("known\n")
  })

  test("leads nothing elsewhere by a link in its place", async () => {
    await using world = await shellWorld()
    const victim = beside(world, "victim")
    mkdirSync(victim)
    writeFileSync(join(victim, "f"), "safe\n")
    mkdirSync(beside(world, "d"))
    const line = `rm -rf ../d; ln -s ${victim} ../d; echo evil > ../d/f; mkdir ../d/made; true`
    await world.run(`touch ../d && sh -c '${line}'`)
    expect(textOf(join(victim, "f"))).toBe("safe\n")
    expect(readdirSync(victim)).toEqual(["f"])
  })

  test("gains nothing when somebody exchanges the folder for a link while it runs", async () => {
    await using world = await shellWorld()
    const [folder, victim] = [beside(world, "d"), beside(world, "victim")]
    for (const each of [folder, victim]) mkdirSync(each)
    const running = world.run("echo evil > ../d/f; touch started; sleep 2")
    while (!existsSync(world.path("started"))) await new Promise((done) => setTimeout(done, 20))
    renameSync(folder, beside(world, "moved"))
    symlinkSync(victim, folder)
    const note = noteOf(await running)!
    expect(readdirSync(victim)).toEqual([])
    expect(readdirSync(beside(world, "moved"))).toEqual([])
    expect(note).toContain(`"${join(folder, "f")}" was not written`)
    expect(textOf(/the new content is at "([^"]+)"/.exec(note)![1]!)).toBe("evil\n")
  })

  test("overwrites nothing that somebody changed while it ran; the new content is kept", async () => {
    await using world = await shellWorld()
    writeFileSync(beside(world, "f"), "one\n")
    const running = world.run("echo two >> ../f; touch started; sleep 2")
    while (!existsSync(world.path("started"))) await new Promise((done) => setTimeout(done, 20))
    writeFileSync(beside(world, "f"), "by a person\n")
    const result = await running
    const note = noteOf(result)!
    expect(textOf(beside(world, "f"))).toBe("by a person\n")
    expect(note).toContain("somebody else changed it while the command ran")
    const kept = /the new content is at "([^"]+)"/.exec(note)![1]!
    expect(textOf(kept)).toBe("one\ntwo\n")
    const seen = await world.session.call("read", { file_path: kept })
    expect(seen).toMatchObject({ type: "output" })
    expect(result.changes).toMatchObject({ complete: false })
  })

  test("takes no folder away in which somebody has put something meanwhile", async () => {
    await using world = await shellWorld()
    mkdirSync(beside(world, "d"))
    writeFileSync(beside(world, "d/a"), "a")
    const running = world.run("rm -r ../d; touch started; sleep 2")
    while (!existsSync(world.path("started"))) await new Promise((done) => setTimeout(done, 20))
    writeFileSync(beside(world, "d/b"), "b")
    expect(noteOf(await running)).toContain("somebody else changed it")
    expect(readdirSync(beside(world, "d"))).toEqual(["a", "b"])
  })

  test("removes nothing that it may only write", async () => {
    await using world = await shellWorld({ "evil.sh": "rm ../o" })
    writeFileSync(beside(world, "o"), "kept\n")
    expect(noteOf(await world.run("sh evil.sh > ../o"))).toContain(`"${beside(world, "o")}" was not removed`)
    expect(textOf(beside(world, "o"))).toBe("kept\n")
  })

  test("plants no protected name in a folder that it may make", async () => {
    const evil = [
      ...["cp -r sub ../copy", "git -C ../copy init -q", "git -C ../copy config core.pager evil"],
      "echo evil > ../copy/.git/hooks/pre-commit",
    ]
    await using world = await shellWorld({
      ...{ "sub/.npmrc": "script-shell=evil\n", "sub/.vscode/tasks.json": "{}", "sub/.env": "A=1\n", "sub/a": "a\n" },
      "evil.sh": evil.join("; "),
    })
    const result = await world.run("mkdir ../copy; sh evil.sh; true")
    const made = Object.keys(treeOf(join(world.root, "..")))
    expect(made).toEqual(expect.arrayContaining(["copy/sub", "copy/sub/a", "copy/.git/HEAD"]))
    expect(made.filter((path) => /npmrc|vscode|env|pre-commit$|\.git\/config/.test(path))).toEqual([])
    expect(noteOf(result)).toContain(`"${beside(world, "copy/sub/.npmrc")}"`)
  })

  test("gets no program that runs as somebody else", async () => {
    await using world = await shellWorld({ p: "#!/bin/sh\n" })
    await world.run("cp p ../p && chmod 6755 ../p; mkdir ../d && cp p ../d/p && chmod 4755 ../d/p; true")
    for (const path of ["p", "d/p"]) {
      if (existsSync(beside(world, path))) expect(lstatSync(beside(world, path)).mode & 0o7000).toBe(0)
    }
  })

  test.each([
    ["rm -r ../dir", "a rule denies reading"],
    ["echo A=1 >> ../dir/.env", "a rule denies reading"],
    ["echo x > ../link/f", "through a link"],
    ["echo x > ../file-link", "through a link"],
    ["rm -r ..", "the workspace is in it"],
    ["echo x > /usr/x", "belongs to the system"],
    ["echo x > /etc/x", "belongs to the system"],
    ["echo x > /x", "belongs to the system"],
    ["echo x > ../big", "more than 1024 MB"],
    ["echo x > ../pipe", "a device, a pipe or a socket"],
  ])("%s is refused before it starts: %s", async (command, reason) => {
    await using world = await shellWorld()
    mkdirSync(beside(world, "dir"))
    writeFileSync(beside(world, "dir/.env"), "KEY=secret\n")
    symlinkSync("dir", beside(world, "link"))
    symlinkSync("dir/new", beside(world, "file-link"))
    writeFileSync(beside(world, "big"), "")
    truncateSync(beside(world, "big"), 2 * 1024 ** 3)
    execFileSync("mkfifo", [beside(world, "pipe")])
    const line = `touch started; ${command}`
    const { type, metadata, ...rest } = await world.session.call("bash", { command: line }, { answer: "once" })
    expect({ type, text: (rest as { error_text?: string }).error_text, code: metadata.error_code }).toEqual({
      type: "error",
      text: expect.stringContaining(reason),
      code: expect.stringMatching(/unsupported|too_large/),
    })
    expect(existsSync(world.path("started"))).toBe(false)
    expect(textOf(beside(world, "dir/.env"))).toBe("KEY=secret\n")
    expect(readdirSync(beside(world, "dir"))).toEqual([".env"])
  })

  test("changes nothing of Haft itself, whatever is allowed", async () => {
    const rules = [{ permission: "fs.write", pattern: "/**", action: "allow" } as const]
    await using world = await shellWorld({}, { rules })
    const state = join(world.home, "planted")
    for (const command of [`echo x > ${state}`, `touch ${join(world.root, "../config/haft.jsonc")}`]) {
      const { metadata } = await world.session.call("bash", { command }, { answer: "once" })
      expect(metadata.error_code).toBe("denied")
    }
    expect(existsSync(state)).toBe(false)
  })

  test("a job changes nothing outside: it would outlive its call", async () => {
    await using world = await shellWorld()
    const { metadata } = await world.session.call("job_start", { command: "touch ../q" }, { answer: "once" })
    expect(metadata.error_code).toBe("unsupported")
    expect(existsSync(beside(world, "q"))).toBe(false)
  })

  test("a cancelled command changes nothing outside", async () => {
    await using world = await shellWorld()
    const controller = new AbortController()
    const options = { answer: "once", signal: controller.signal } as const
    const running = world.session.call("bash", { command: "echo x > ../q; touch started; sleep 30" }, options)
    while (!existsSync(world.path("started"))) await new Promise((done) => setTimeout(done, 20))
    controller.abort()
    expect((await running).metadata.error_code).toBe("cancelled")
    expect(existsSync(beside(world, "q"))).toBe(false)
  })

  test("among very many neighbours only the name itself is shown", async () => {
    await using world = await shellWorld()
    mkdirSync(beside(world, "full"))
    for (let count = 0; count < 250; count += 1) writeFileSync(beside(world, `full/${count}`), "")
    const { stdout } = await world.run("echo x > ../full/new; ls ../full")
    expect(stdout).toBe("new\n")
    expect(readdirSync(beside(world, "full"))).toHaveLength(251)
  })

  test("undo leaves what somebody changed since", async () => {
    await using world = await shellWorld({ "sub/x": "x\n" })
    await world.run("cp -r sub ../copy")
    writeFileSync(beside(world, "copy/y"), "a person's\n")
    await expect(world.undo()).rejects.toMatchObject({ code: "conflict" })
    expect(readdirSync(beside(world, "copy"))).toEqual(["x", "y"])
  })
})
