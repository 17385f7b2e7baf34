import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { areHere, dataOf, everythingOf, sandboxIsHere, shellWorld, until } from "./shell-world.js"

/** Writes a file that no analysis of the line can see. */
const sneak = (path: string) =>
  `python3 -c "import os; os.makedirs(os.path.dirname('./${path}'), exist_ok=True); open('${path}', 'w').write('x')"`

describe.skipIf(!sandboxIsHere || !areHere("git", "python3"))("protected names", () => {
  test.each([".mcp.json", ".git/hooks/pre-commit", ".git/config", ".vscode/tasks.json", ".husky/pre-commit", ".envrc"])(
    "[C2-82] %s cannot be written by a program that was agreed to, and nothing is left of the guard",
    async (path) => {
      await using world = await shellWorld({ "a.txt": "" })
      execFileSync("git", ["init", "-q", world.root])
      const before = tree(world.root)
      expect((await world.run(sneak(path))).exit_code).toBe(1)
      expect(tree(world.root)).toEqual(before)
    },
  )

  test("[C2-82] absent ones stay held for a command while another one ends", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    execFileSync("git", ["init", "-q", world.root])
    const before = tree(world.root)
    const long = world.run(`touch begun; until [ -e ended ]; do sleep 0.05; done; ${sneak(".mcp.json")}; echo $?`)
    await until(() => existsSync(world.path("begun")))
    await world.run("touch short")
    await world.run("touch ended")
    expect((await long).stdout).toBe("1\n")
    expect(tree(world.root)).toEqual([...before, "begun", "ended", "short"].sort())
  })

  test("a listing that shows placeholders says that they are not real, and only then", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    const listed = await world.run("touch b; ls -d .vscode .npmrc a.txt")
    expect(listed.isolation.notes).toContain(
      ".npmrc, .vscode: empty placeholders of the sandbox for protected names, not files of the workspace",
    )
    const silent = await world.run("touch b; echo my.npmrc .vscodes")
    expect(silent.isolation.notes.join()).not.toContain("placeholder")
    const reading = await world.run("ls -A")
    expect([reading.stdout, reading.isolation.notes.join()]).toEqual([
      "a.txt\nb\n",
      expect.not.stringContaining("placeholder"),
    ])
  })

  test("[C2-82] renaming .git away does not help", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    execFileSync("git", ["init", "-q", world.root])
    const before = tree(world.root)
    const move = `python3 -c "import os; os.rename('.git', 'old')"; ${sneak(".git/hooks/pre-commit")}; echo $?`
    const { stdout, stderr } = await world.run(move)
    expect(stdout).toBe("1\n")
    expect(stderr).toMatch(/busy|denied|read-only/i)
    expect(tree(world.root)).toEqual(before)
  })

  test("[C2-82] where there is no repository, no bare one can be slipped in with hooks of its own", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    await world.run(sneak(".git/hooks/pre-commit"))
    expect(existsSync(world.path(".git/hooks/pre-commit"))).toBe(false)
    expect(tree(world.root)).toEqual(["a.txt"])
  })
})

describe.skipIf(!sandboxIsHere || !areHere("git", "python3"))("protected names that no mount holds", () => {
  test("a yes to git init opens no hooks, settings or commondir of the new repository", async () => {
    await using world = await shellWorld({
      "evil.py":
        "for name in ['hooks/pre-commit', 'commondir', 'config']: open('g/.git/' + name, 'a').write('../../evil')",
    })
    await world.run("git init -q g; python3 evil.py")
    expect(["hooks/pre-commit", "commondir"].filter((name) => existsSync(world.path(`g/.git/${name}`)))).toEqual([])
  })

  test("what a program made in a folder is told, with the place where it is now", async () => {
    await using world = await shellWorld({ "sub/a.txt": "" })
    const { changes } = await world.run(`${sneak("sub/.vscode/tasks.json")}; ${sneak(".env")}; touch sub/b.txt`)
    expect(changes).toMatchObject({ written: ["sub/b.txt"], protected_created: [".env", "sub/.vscode"] })
    const places = [...changes!.note!.matchAll(/moved to "([^"]*)"/g)].map(([, place]) => place!)
    expect(places.map((place) => place.replace(/^.*\/quarantine\/[^/]*/, ""))).toEqual(["/.env", "/sub/.vscode"])
    expect(readFileSync(`${places[1]}/tasks.json`, "utf8")).toBe("x")
    expect(tree(world.root)).toEqual(["sub", "sub/a.txt", "sub/b.txt"])
  })

  test("a work tree keeps what was committed when the session began, not what was committed later", async () => {
    await using world = await shellWorld({ ".npmrc": "x=1\n", ".vscode/tasks.json": "{}", "a.txt": "" })
    const commit = () => {
      for (const args of [
        ["add", "-A"],
        ["commit", "-qm", "x"],
      ]) {
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: world.root })
      }
    }
    execFileSync("git", ["init", "-q", world.root])
    commit()
    const session = await world.open()
    writeFileSync(world.path(".vscode/tasks.json"), "{ changed }")
    commit()
    const command = "git worktree add -q made"
    const { changes } = dataOf(await session.call("bash", { command }, { answer: "once" }))
    expect(changes?.note).toContain(`"${world.path("made/.vscode/tasks.json")}" was created under a protected name`)
    expect(changes?.note?.match(/was created under/g)).toHaveLength(1)
    expect(readFileSync(world.path("made/.npmrc"), "utf8")).toBe("x=1\n")
    expect(existsSync(world.path("made/.vscode/tasks.json"))).toBe(false)
    await session.close()
  })

  test("shell start files that are not there cannot be made", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    for (const name of [".bashrc", ".bash_profile", ".profile", ".zshrc", ".gitconfig"]) {
      expect([name, (await world.run(sneak(name))).exit_code]).toEqual([name, 1])
    }
    // Those without a placeholder are moved aside afterwards.
    for (const name of [".bash_login", ".zshenv", ".zprofile", ".zlogin"]) {
      await world.run(sneak(name))
      expect([name, existsSync(world.path(name))]).toEqual([name, false])
    }
    expect(tree(world.root)).toEqual(["a.txt"])
  })

  test.each([
    ["", "mkdir -p .vscode && echo 1 > .vscode/settings.json"],
    ["sub/", "mkdir -p sub/.vscode && echo 1 > sub/.vscode/settings.json"],
    ["", "mkdir -p .vscode && cp a.txt .vscode/settings.json"],
  ])("a person's yes to %s.vscode/settings.json is none to what else is in the folder", async (folder, line) => {
    await using world = await shellWorld({ "a.txt": "1\n" })
    const { exit_code, changes } = await world.run(`${line}; ${sneak(`${folder}.vscode/tasks.json`)}`)
    expect(exit_code).toBe(0)
    expect(readFileSync(world.path(`${folder}.vscode/settings.json`), "utf8")).toBe("1\n")
    expect(existsSync(world.path(`${folder}.vscode/tasks.json`))).toBe(false)
    expect(changes?.protected_created).toContain(`${folder}.vscode/tasks.json`)
  })

  test("a folder that is there gets the file that was copied into it, and nothing else", async () => {
    await using world = await shellWorld({ "a.txt": "new", ".vscode/launch.json": "old" })
    const { changes } = await world.run(`cp a.txt .vscode/; ${sneak(".vscode/tasks.json")}`)
    expect(changes?.protected_created).toEqual([".vscode/tasks.json", ".vscode/a.txt"])
    expect(tree(world.path(".vscode"))).toEqual(["a.txt", "launch.json"])
  })

  const projects = [
    { line: "git clone . sub", folder: "sub", needs: "git" },
    { line: "git init sub", folder: "sub", needs: "git" },
    { line: "git worktree add sub", folder: "sub", needs: "git" },
    { line: "git clone --bare . sub.git", folder: "sub.git", needs: "git" },
    { line: "cargo new sub", folder: "sub", needs: "cargo" },
    { line: "mkdir sub && cd sub && npm init -y", folder: "sub", needs: "npm" },
  ]

  test.each(projects.filter(({ needs }) => areHere(needs)))(
    "$line behind an answer leaves a working tree",
    async ({ line, folder }) => {
      await using world = await shellWorld({ "a.txt": "" })
      const git = (...args: readonly string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
          cwd: world.root,
          stdio: "pipe",
        })
      git("init", "-q")
      git("add", "-A")
      git("commit", "-qm", "one")
      const { exit_code, changes } = await world.run(line)
      expect([exit_code, changes?.note]).toEqual([0, undefined])
      expect(git("-C", folder, "rev-parse", "--git-dir").toString()).not.toBe("")
      const left = tree(world.path(folder))
      expect(["a.txt", ".git", "Cargo.toml", "package.json", "HEAD"].some((name) => left.includes(name))).toBe(true)
      // The next commands work in it as in any other folder.
      expect((await world.run(`cd ${folder} && git log -1 --format=%s 2>&1; ls`)).exit_code).toBe(0)
    },
  )

  test("a job tells what it made, also when another command ended meanwhile", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    const { session } = world
    const command = `${sneak("sub/.npmrc")}; touch made; read line; ${sneak("sub/.envrc")}`
    const { id } = dataOf(await session.call("job_start", { command }, { answer: "once" }))
    await until(() => existsSync(world.path("made")))
    // What a person allows Haft itself meanwhile is not the job's.
    dataOf(await session.call("write", { file_path: "own/.npmrc", content: "mine" }, { answer: "once" }))
    expect((await world.run("touch b.txt")).changes?.protected_created).toEqual(["sub/.npmrc"])
    await session.call("job_input", { id, text: "go\n" }, { answer: "once" })
    let view = dataOf(await session.call("job_output", { id, wait_ms: 5000 }))
    while (view.state === "running") view = dataOf(await session.call("job_output", { id, wait_ms: 5000 }))
    expect(view.quarantined).toContainEqual(expect.stringContaining(`"${world.path("sub/.envrc")}" was created under`))
    expect(tree(world.root)).toEqual(["a.txt", "b.txt", "made", "own", "own/.npmrc", "sub"])
  })

  test("an interpreter makes none", async () => {
    await using world = await shellWorld({ "sub/a.txt": "" })
    const code = "import os; os.makedirs('sub/.vscode')"
    const answer = await world.session.call("repl", { language: "python", code }, { answer: "once" })
    expect(everythingOf(answer)).toMatch(/Read-only file system|OSError/)
    expect(tree(world.root)).toEqual(["sub", "sub/a.txt"])
  })
})

function tree(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).sort()
}
