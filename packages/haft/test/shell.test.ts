import { execFileSync } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { dataOf, running, sandboxIsHere, shellWorld } from "./shell-world.js"

describe.skipIf(!sandboxIsHere)("a command line", () => {
  test("[C2-82] ends with its shell: a child in the background neither holds it up nor outlives it", async () => {
    await using world = await shellWorld()
    const begun = performance.now()
    const data = dataOf(await world.session.call("bash", { command: "sleep 97.31 & echo done" }))
    expect(data).toMatchObject({ stdout: "done\n", ended_processes: 1 })
    // A call that waited for the child would take its 97 seconds.
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect(running("sleep 97.31")).toEqual([])
  })

  test("[C2-82] leaves no child of any kind: own session, no hang-up, forked twice, deaf to TERM", async () => {
    await using world = await shellWorld()
    const data = await world.run(
      "setsid sleep 97.32 & nohup sleep 97.32 >/dev/null 2>&1 & (sleep 97.32 &) ; (trap '' TERM; exec sleep 97.32) & echo done",
    )
    expect(data).toMatchObject({ stdout: "done\n", ended_processes: 4 })
    expect(running("sleep 97.32")).toEqual([])
  })

  test("[C2-81] [C2-99] every tool that starts a process says which sandbox it ran behind", async () => {
    await using world = await shellWorld({ "a.txt": "alpha\n" })
    const once = { answer: "once" } as const
    const sandboxes = [
      dataOf(await world.session.call("bash", { command: "cat a.txt" })),
      dataOf(await world.session.call("exec", { command: "cat", args: ["a.txt"] }, once)),
      dataOf(await world.session.call("repl", { language: "shell", code: "echo $$" }, once)),
    ].map(({ isolation }) => isolation)
    for (const sandbox of sandboxes) expect(sandbox).toMatchObject({ level: "namespaces", network: "none" })
  })

  test("[C2-81] [C2-84] no argument chooses to run outside the sandbox or claims an answer", async () => {
    await using world = await shellWorld()
    for (const extra of [
      { sandbox: "off" },
      { unconfined: true },
      { dangerouslyDisableSandbox: true },
      { approved: true },
      { grant: "once" },
    ]) {
      const call = { command: "true", ...extra } as { command: string }
      expect((await world.session.call("bash", call, { answer: "once" })).metadata.error_code).toBe("invalid_args")
    }
  })

  test("[C2-80] [C2-94] what is only read runs with the workspace read-only, what was agreed to writes there alone", async () => {
    await using world = await shellWorld({ "a.txt": "alpha\n" })
    expect(dataOf(await world.session.call("bash", { command: "cat a.txt" })).isolation.profile).toBe("read-only")
    const { isolation, stdout } = await world.run(
      `python3 - <<'end'
for path in ("made.txt", "/etc/made", "/usr/made", "${world.root}/../made"):
  try:
    open(path, "w").close(); print("wrote", path)
  except OSError as error: print(type(error).__name__)
end`,
    )
    expect(isolation.profile).toBe("workspace-write")
    expect(stdout.match(/wrote \S+/g)).toEqual(["wrote made.txt"])
    expect(await readdir(join(world.root, ".."))).not.toContain("made")
    expect(await readdir(world.root)).toEqual(["a.txt", "made.txt"])
  })

  test("undo brings back what a command deleted and changed, and removes what it made", async () => {
    await using world = await shellWorld({ "src/a.txt": "alpha\n", "src/deep/b.txt": "beta\n", "c.txt": "gamma\n" })
    const { changes } = await world.run("rm -rf src; echo changed > c.txt; echo new > d.txt")
    expect(changes).toMatchObject({ deleted: ["src/a.txt", "src/deep/b.txt"], written: ["c.txt", "d.txt"] })
    expect((await readdir(world.root)).sort()).toEqual(["c.txt", "d.txt"])
    await world.undo()
    expect((await readdir(world.root)).sort()).toEqual(["c.txt", "src"])
    expect(await readFile(world.path("src/deep/b.txt"), "utf8")).toBe("beta\n")
    expect(await readFile(world.path("c.txt"), "utf8")).toBe("gamma\n")
  })

  test("only what surprises is unexpected: not what was judged, and not what a program could be foreseen to make", async () => {
    const hook = "open('hidden.txt', 'w'); open('.git/description', 'a').write('x')\n"
    await using world = await shellWorld({ "src/a.txt": "alpha\n", "make.py": hook, ".git/description": "" })
    const program = await world.run("python3 make.py")
    expect(program.changes).toMatchObject({ written: [".git", "hidden.txt"], foreseeable: false, unexpected: [".git"] })
    const plain = await world.run("rm -rf src; echo x > told.txt")
    expect(plain.changes?.unexpected).toEqual([])
    expect(plain.changes).not.toHaveProperty("foreseeable")
  })

  test("git commands are expected to keep records, other commands in the same folder are not", async () => {
    await using world = await shellWorld({
      "a.txt": "alpha\n",
      "touch.py": "open('.git/description', 'a').write('x')\n",
      "sub/b.txt": "beta\n",
    })
    execFileSync("git", ["init", "-q", "-b", "main", world.root])
    const name = "-c user.name=a -c user.email=a@b"
    for (const line of ["git add -A", `cd sub && git ${name} commit -qm first`, "git branch other"]) {
      expect((await world.run(line)).changes).toMatchObject({ written: [".git"], unexpected: [] })
    }
    const added = await world.run("git worktree add -q tree other")
    expect(added.changes?.written).toEqual(expect.arrayContaining([".git", "tree/a.txt"]))
    expect(added.changes?.unexpected).toEqual([])
    expect((await world.run("python3 touch.py")).changes?.unexpected).toEqual([".git"])
    expect((await world.run("git status; python3 touch.py")).changes?.unexpected).toEqual([".git"])
  })
})
