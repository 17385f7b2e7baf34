import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench, type RunRequest, runIn, type SandboxBench } from "../testing/sandbox-bench.js"
import { quarantineWords } from "./quarantine.js"

/** A file for each name of the default rules. */
const guarded = [
  ...[".git/hooks/pre-commit", ".git/config", ".git/config.worktree", ".git/info/attributes", ".gitmodules"],
  ...[".git/modules/m/hooks/post-checkout", ".git/modules/m/config", ".husky/pre-commit", ".mcp.json"],
  ...[".vscode/tasks.json", ".idea/workspace.xml", ".zed/tasks.json", ".claude/settings.json", ".codex/config.toml"],
  ...[".gemini/settings.json", ".cursor/mcp.json", ".agents/a.md", ".haft/agents/a.md", "haft.jsonc"],
  ...["haft.local.jsonc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".cargo/config.toml", ".envrc"],
  ...[
    ".env",
    ".env.local",
    ".env.production",
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".bash_login",
    ".gitconfig",
  ],
]

describe.each(backendsHere)("protected names in folders, behind %s", (backend) => {
  let ground: SandboxBench
  beforeEach(async () => {
    ground = await makeSandboxBench({ backend })
  })
  afterEach(() => ground.close())

  const at = (name: string) => join(ground.root, name)
  const put = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: ground.root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    })
  const make = (name: string, text = "evil") => `mkdir -p "$(dirname "${name}")" && echo ${text} > "${name}"`
  const run = async (line: string, request?: RunRequest) => {
    const ended = await ground.run(line, request)
    expect([ended.failure, ended.stderr]).toEqual([undefined, ""])
    return { ...ended, moved: ended.quarantined.map(({ path }) => path.slice(ground.root.length + 1)).sort() }
  }
  /** Everything in the workspace but what git keeps in its own folders. */
  const tree = (): readonly string[] =>
    readdirSync(ground.root, { recursive: true, encoding: "utf8" })
      .filter((name) => lstatSync(at(name)).isFile() && !/\.git\/(?!config|hooks)/.test(name))
      .sort()

  test.each([["sub"], ["a/b/c"]])("none of them is left in %s, and all are kept", async (folder) => {
    const { quarantined, moved } = await run(guarded.map((name) => make(`${folder}/${name}`, name)).join("; "))
    expect(guarded.filter((name) => existsSync(at(`${folder}/${name}`)))).toEqual([])
    const first = (name: string) => guarded.filter((one) => one === name || one.startsWith(`${name}/`))
    const contents = quarantined.flatMap(({ path, movedTo }) =>
      first(path.slice(at(folder).length + 1)).map((name) => {
        const place = join(movedTo!, name.slice(path.length - at(folder).length - 1))
        return [name, readFileSync(place, "utf8")]
      }),
    )
    expect(contents.sort()).toEqual(guarded.map((name) => [name, `${name}\n`]).sort())
    expect(moved).toContain(`${folder}/.vscode`)
    expect(moved).toContain(`${folder}/.git/hooks/pre-commit`)
  })

  test("in another spelling they are the same names", async () => {
    const { moved } = await run(`${make("sub/.VSCode/tasks.json")}; ${make("sub/.NPMRC")}; ${make("sub/.Git/HOOKS/x")}`)
    expect(moved).toEqual(["sub/.Git/HOOKS/x", "sub/.NPMRC", "sub/.VSCode"])
  })

  test("those that are there stay as they were, whatever is tried with them and the folders above", async () => {
    const there = ["sub/.vscode/tasks.json", "deep/er/.npmrc", "deep/er/.envrc", "sub/.cargo/config.toml"]
    for (const name of there) put(name, "as it was")
    await ground.run(
      `for n in ${there.join(" ")}; do echo evil > $n; rm -f $n; sed -i s/was/evil/ $n; d=$(dirname $n); mv $d away; mkdir -p $d; echo evil > $n; done; mv deep other; rm -rf sub deep`,
    )
    expect(there.map((name) => readFileSync(at(name), "utf8"))).toEqual(there.map(() => "as it was"))
  })

  describe("what makes a new project", () => {
    beforeEach(() => {
      execFileSync("git", ["init", "-q", "-b", "main"], { cwd: ground.root })
      put("file", "one")
      git("add", "-A")
      git("commit", "-qm", "one")
    })
    const nothingMoved = { quarantined: [], note: undefined, code: 0 }

    test("git clone leaves a working tree", async () => {
      expect(await run("git clone -q . sub && git -C sub status --porcelain")).toMatchObject({
        ...nothingMoved,
        stdout: "",
      })
      expect(git("-C", "sub", "log", "--oneline").trim().split("\n")).toHaveLength(1)
      expect(git("-C", "sub", "remote", "get-url", "origin").trim()).toBe(`${ground.root}/.`)
      expect(git("-C", "sub", "status", "--porcelain", "--branch")).toBe("## main...origin/main\n")
    })

    test("git clone --bare and --mirror leave a repository", async () => {
      expect(await run("git clone -q --bare . bare.git; git clone -q --mirror . m.git")).toMatchObject(nothingMoved)
      expect(git("-C", "bare.git", "log", "--oneline").trim().split("\n")).toHaveLength(1)
    })

    test("git init leaves a repository that works", async () => {
      const line =
        "git init -q sub && cd sub && git config user.name b && git config user.email b@example.org && echo x > f && git add f && git commit -qm x"
      expect(await run(line)).toMatchObject(nothingMoved)
      expect(git("-C", "sub", "log", "--format=%an %s")).toBe("b x\n")
      expect(readdirSync(at("sub/.git/hooks"))).not.toEqual([])
    })

    test("git worktree add leaves a working tree", async () => {
      expect(await run("git worktree add -q wt && git -C wt status --porcelain")).toMatchObject({
        ...nothingMoved,
        stdout: "",
      })
      expect(git("-C", "wt", "log", "--oneline").trim().split("\n")).toHaveLength(1)
    })

    test.runIf(isInstalled("cargo"))("cargo new leaves a project that builds", async () => {
      expect(await ground.run("cargo new -q app 2>&1")).toMatchObject({ ...nothingMoved, stdout: "" })
      expect(tree().filter((name) => name.startsWith("app/"))).toEqual(["app/Cargo.toml", "app/src/main.rs"])
    })

    test.runIf(isInstalled("npm"))("npm init and npm create leave a package", async () => {
      put("node_modules/create-thing/package.json", '{ "name": "create-thing", "version": "1.0.0", "bin": "make.js" }')
      put(
        "node_modules/.bin/create-thing",
        '#!/bin/sh\nmkdir $1 && cd $1 && echo "{ \\"name\\": \\"made\\" }" > package.json && git init -q\n',
      )
      chmodSync(at("node_modules/.bin/create-thing"), 0o755)
      const line = "mkdir plain; (cd plain && npm init -y) && npm create --offline --yes thing -- made"
      const { code, quarantined, note } = await ground.run(line)
      expect([code, quarantined, note]).toEqual([0, [], undefined])
      expect(JSON.parse(readFileSync(at("plain/package.json"), "utf8")).name).toBe("plain")
      expect(JSON.parse(readFileSync(at("made/package.json"), "utf8")).name).toBe("made")
    })
  })

  test.runIf(isInstalled("cargo"))("cargo new makes a repository of its own where there is none", async () => {
    const { code, quarantined } = await ground.run("cargo new -q app")
    expect([code, quarantined]).toEqual([0, []])
    expect(existsSync(at("app/.git/HEAD"))).toBe(true)
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: at("app"), encoding: "utf8" })).toContain("Cargo.toml")
  })

  describe("what git checks out of a commit from before the session", () => {
    const committed = [".vscode/tasks.json", ".vscode/deep/a.json", ".npmrc", "sub/.envrc", ".husky/pre-commit"]
    beforeEach(async () => {
      await ground.close()
      ground = await makeSandboxBench({
        backend,
        fill(root) {
          for (const name of committed) {
            mkdirSync(dirname(join(root, name)), { recursive: true })
            writeFileSync(join(root, name), `committed ${name}\n`)
          }
          chmodSync(join(root, ".husky/pre-commit"), 0o755)
          symlinkSync(".husky", join(root, ".claude"))
          writeFileSync(join(root, "file"), "")
          execFileSync("git", ["init", "-q", "-b", "main"], { cwd: root })
          for (const args of [
            ["add", "-A"],
            ["commit", "-qm", "one"],
          ]) {
            execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: root })
          }
        },
      })
    })
    const commit = "git add -A && git -c user.name=b -c user.email=b@example.org commit -qm evil"
    const fetch = "git fetch -q /tmp/copy main:evil 2>/dev/null"

    test.each([
      ["a linked work tree", "git worktree add -q made"],
      [
        "a work tree further down",
        "mkdir a && git worktree add -q a/made && mv a/made made && git worktree repair -q made",
      ],
      ["a clone", "git clone -q . made"],
    ])("%s is clean, and stays so", async (_, line) => {
      expect((await ground.run(`{ ${line}; } >&2`)).quarantined).toEqual([])
      expect(committed.map((name) => readFileSync(at(`made/${name}`), "utf8"))).toEqual(
        committed.map((name) => `committed ${name}\n`),
      )
      expect(readlinkSync(at("made/.claude"))).toBe(".husky")
      expect(git("-C", "made", "status", "--porcelain")).toBe("")
      await ground.run("echo evil > made/.npmrc; rm -rf made/.vscode; echo evil > made/.vscode/tasks.json")
      expect(git("-C", "made", "status", "--porcelain")).toBe("")
    })

    test("what the command commits itself is not in it", async () => {
      const change = "echo evil > .vscode/tasks.json; echo evil > .vscode/x; echo evil > .mcp.json"
      const { moved } = await run(
        `git clone -q . /tmp/copy && (cd /tmp/copy; ${change}; ${commit}); ${fetch}; git worktree add -q made evil`,
      )
      expect(moved).toEqual(["made/.mcp.json", "made/.vscode/tasks.json", "made/.vscode/x"])
      expect(readFileSync(at("made/.vscode/deep/a.json"), "utf8")).toBe("committed .vscode/deep/a.json\n")
    })

    test("HEAD and its objects that a command replaced do not count", async () => {
      const object = (name: string) => `.git/objects/\${${name}:0:2}/\${${name}:2}`
      const { moved } = await run(
        [
          `git clone -q . /tmp/copy && (cd /tmp/copy; echo evil > .npmrc; ${commit}); ${fetch}`,
          "old=$(git rev-parse main); new=$(git rev-parse evil)",
          `rm -f ${object("old")}; cp ${object("new")} ${object("old")}; echo $new > .git/refs/heads/main`,
          "git worktree add -q made evil",
        ].join("; "),
      )
      expect(moved).toContain("made/.npmrc")
      expect(existsSync(at("made/.npmrc"))).toBe(false)
    })

    test("a copy that is changed, has a second name, or is elsewhere is moved", async () => {
      const { moved } = await run(
        [
          "git worktree add -q made",
          "echo more >> made/.npmrc",
          "ln made/.vscode/tasks.json other",
          "chmod 755 made/.vscode/deep/a.json",
          "mkdir made/b no-tree",
          "cp .npmrc made/b",
          "cp .npmrc no-tree",
          "cp -r .vscode made/b",
          "mkdir made/.vscode/empty",
          "ln -sfn /tmp made/.claude",
        ].join(" && "),
      )
      expect(moved).toEqual([
        "made/.claude",
        "made/.npmrc",
        "made/.vscode/deep/a.json",
        "made/.vscode/empty",
        "made/.vscode/tasks.json",
        "made/b/.npmrc",
        "made/b/.vscode",
        "no-tree/.npmrc",
      ])
    })

    test("what a person removed or changed there is not brought back", async () => {
      rmSync(at("sub/.envrc"))
      expect((await run("git checkout -q -- sub/.envrc")).moved).toEqual(["sub/.envrc"])
      await run("git worktree add -q made")
      put("made/.npmrc", "mine")
      const mayDelete = (path: string) => path.startsWith(at("made"))
      expect((await run("git -C made checkout -q -- .npmrc", { mayDelete })).moved).toEqual(["made/.npmrc"])
    })

    test("a process that still runs may not change them afterwards", async () => {
      const job = await ground.prepare({ lasting: true })
      const line =
        "git worktree add -q made; touch ready; until [ -e go ]; do sleep 0.02; done; echo evil > made/.npmrc"
      const running = runIn(job, ["/bin/bash", "-c", line])
      while (!existsSync(at("ready"))) await new Promise((done) => setTimeout(done, 10))
      expect((await run("true")).moved).toEqual([])
      put("go", "")
      await running
      expect((await job.release()).quarantined.map(({ path }) => path)).toEqual([at("made/.npmrc")])
    })
  })

  describe("what brings hostile ones", () => {
    beforeEach(() => {
      put("kit/hooks/pre-commit", "evil")
      put("kit/settings", "[core]\n\tfsmonitor = evil\n")
      put("kit/tasks.json", "evil")
    })
    const gone = ["sub/.git/config", "sub/.git/hooks/pre-commit", "sub/.vscode"]
    const build =
      "git init -q new && cp kit/hooks/pre-commit new/.git/hooks/ && cp kit/settings new/.git/config && mkdir new/.vscode && cp kit/tasks.json new/.vscode"

    test.each([
      ["cp -r", `(${build}) && cp -r new sub && rm -rf new`],
      ["mv", `(${build}) && mv new sub`],
      ["tar", `(${build}) && mkdir sub && tar c -C new . | tar x -C sub && rm -rf new`],
      [
        "unzip",
        `(${build}) && python3 -c "import shutil; shutil.make_archive('a', 'zip', 'new')" && unzip -q a.zip -d sub && rm -rf new`,
      ],
      [
        "git clone",
        "git init -q seed && mkdir seed/.vscode && cp kit/tasks.json seed/.vscode && git -C seed add -A && git -C seed -c user.name=a -c user.email=a@b.example commit -qm x && git clone -q --template=kit -c core.fsmonitor=evil seed sub && rm -rf seed",
      ],
    ])("%s", async (_, line) => {
      const { moved } = await run(line)
      expect(moved).toEqual(gone)
      expect(gone.filter((name) => existsSync(at(name)))).toEqual([])
      expect(execFileSync("git", ["status"], { cwd: at("sub"), encoding: "utf8" })).toContain("branch")
    })

    test("git checkout brings names of another branch", async () => {
      execFileSync("git", ["init", "-q", "-b", "main"], { cwd: ground.root })
      git("add", "-A")
      git("commit", "-qm", "one")
      git("checkout", "-q", "-b", "other")
      put("sub/.npmrc", "evil")
      put("sub/file", "plain")
      git("add", "-A")
      git("commit", "-qm", "two")
      git("checkout", "-q", "main")
      expect((await run("git checkout -q other")).moved).toEqual(["sub/.npmrc"])
      expect(existsSync(at("sub/file"))).toBe(true)
    })

    test("a repository by another name, and a .git that leads away", async () => {
      const { moved } = await run(
        "git init -q --bare bare && cp kit/hooks/pre-commit bare/hooks && cp kit/settings bare/config; mkdir one two three; echo 'gitdir: ../bare' > one/.git; echo 'gitdir: /tmp/evil' > two/.git; ln -s /tmp/evil three/.git",
      )
      expect(moved).toEqual(["bare/config", "bare/hooks/pre-commit", "three/.git", "two/.git"])
    })

    test("a commondir takes no repository to settings elsewhere, neither to new ones nor to those that are there", async () => {
      execFileSync("git", ["init", "-q"], { cwd: ground.root })
      put("there/config", "[core]\n\tfsmonitor = touch ran; true\n")
      put("there/objects/x", "")
      put("there/refs/x", "")
      expect((await run("echo ../there > .git/commondir")).moved).toEqual([".git/commondir"])
      expect((await run("mkdir two && cp kit/settings two/config")).moved).toEqual([])
      const { moved } = await run(
        "mkdir two/objects two/refs one one/git; echo 'gitdir: git' > one/.git; cp .git/HEAD one/git; echo ../../two > one/git/commondir; echo ../two > .git/commondir",
      )
      expect(moved).toEqual([".git/commondir", "two/config"])
      expect(git("status")).toContain("branch")
      expect(existsSync(at("ran"))).toBe(false)
    })

    test("links in the place of hooks and settings", async () => {
      const { moved } = await run(
        "git init -q sub && rm -r sub/.git/hooks sub/.git/config && ln -s ../../kit/hooks sub/.git/hooks && ln -s ../../kit/settings sub/.git/config; ln -s kit sub/.vscode",
      )
      expect(moved).toEqual(["sub/.git/config", "sub/.git/hooks", "sub/.vscode"])
      expect(readFileSync(at("kit/tasks.json"), "utf8")).toBe("evil")
    })

    test("a hook that only calls itself a sample stays one", async () => {
      const { moved } = await run(
        "git init -q sub && cp kit/hooks/pre-commit sub/.git/hooks/pre-push.sample && mkdir sub/.git/hooks/x.sample && cp kit/hooks/pre-commit sub/.git/hooks/x.sample/y",
      )
      expect(moved).toEqual(["sub/.git/hooks/x.sample"])
    })
  })

  test("templates of .env may stay", async () => {
    const { moved } = await run(
      `${make("sub/.env.example")}; ${make("sub/.env.sample")}; ${make("sub/.env.template")}; ${make("sub/.env.dist")}; mkdir s; ln -s /etc/hostname s/.env.example`,
    )
    expect(moved).toEqual(["s/.env.example"])
  })

  describe("an approved name", () => {
    test.each([[".vscode"], ["sub/.vscode"]])("does not open its folder %s, which is not there yet", async (folder) => {
      const line = ["settings.json", "tasks.json", "deep/launch.json"]
        .map((name) => make(`${folder}/${name}`))
        .join(";")
      const { moved } = await run(line, { sandbox: { approved: [`${folder}/settings.json`] } })
      expect(moved).toEqual([`${folder}/deep`, `${folder}/tasks.json`])
      expect(tree()).toEqual([`${folder}/settings.json`])
    })

    test.each([[".vscode"], ["sub/.vscode"]])("does not open its folder %s, which is there", async (folder) => {
      for (const name of ["settings.json", "launch.json", "deep/a.json"]) put(`${folder}/${name}`, "as it was")
      const names = ["settings.json", "launch.json", "tasks.json", "deep/a.json", "deep/b.json"]
      const { quarantined } = await ground.run(
        `${names.map((name) => `echo new > ${folder}/${name}`).join(";")}; rm -f ${folder}/launch.json; sed -i s/new/newer/ ${folder}/settings.json`,
        { sandbox: { approved: [`${folder}/settings.json`] } },
      )
      expect(quarantined.map(({ path }) => path)).toEqual([at(`${folder}/tasks.json`)])
      expect(tree().map((name) => `${name}: ${readFileSync(at(name), "utf8").trim()}`)).toEqual([
        `${folder}/deep/a.json: as it was`,
        `${folder}/launch.json: as it was`,
        `${folder}/settings.json: newer`,
      ])
    })

    test("that is a folder alone opens nothing in it, and one that is a folder opens all", async () => {
      const line = `mkdir .vscode .idea && ${make(".vscode/a")} && ${make(".idea/b/c")}`
      const { moved } = await run(line, { sandbox: { approved: [".vscode/", ".idea"] } })
      expect(moved).toEqual([".vscode/a"])
      expect([tree(), existsSync(at(".vscode"))]).toEqual([[".idea/b/c"], true])
    })

    test("of a hook is that hook", async () => {
      execFileSync("git", ["init", "-q"], { cwd: ground.root })
      const { quarantined } = await ground.run(
        "for n in pre-commit pre-push; do echo x > .git/hooks/$n; done; echo evil >> .git/hooks/pre-rebase.sample; git config core.fsmonitor evil",
        { sandbox: { approved: [".git/hooks/pre-commit"] } },
      )
      expect(quarantined.map(({ path }) => path)).toEqual([at(".git/hooks/pre-push")])
      expect(readFileSync(at(".git/hooks/pre-commit"), "utf8")).toBe("x\n")
      expect(readFileSync(at(".git/hooks/pre-rebase.sample"), "utf8")).not.toContain("evil")
      expect(readFileSync(at(".git/config"), "utf8")).not.toContain("evil")
    })

    test("of one command is not moved away at the end of another one", async () => {
      const waiting = ground.prepare()
      const slow = await waiting
      await run(make("sub/.vscode/settings.json", "mine"), { sandbox: { approved: ["sub/.vscode/settings.json"] } })
      expect((await slow.release()).quarantined).toEqual([])
      expect(readFileSync(at("sub/.vscode/settings.json"), "utf8")).toBe("mine\n")
    })
  })

  test("what a process makes that still runs is found when another command ends, and once more at its own end", async () => {
    const job = await ground.prepare({ lasting: true })
    const line = `${make("sub/.npmrc")}; touch made; until [ -e go ]; do sleep 0.02; done; ${make("sub/.envrc")}`
    const running = runIn(job, ["/bin/bash", "-c", line])
    while (!existsSync(at("made"))) await new Promise((done) => setTimeout(done, 10))
    expect((await run("true")).moved).toEqual(["sub/.npmrc"])
    // Not before: the job would go on while the other command is looked at.
    put("go", "")
    await running
    expect((await job.release()).quarantined.map(({ path }) => path)).toEqual([at("sub/.envrc")])
  })

  test("what Haft itself wrote while a process runs stays", async () => {
    const job = await ground.prepare({ lasting: true })
    put("sub/.npmrc", "allowed")
    ground.sandboxes.wrote(at("sub/.npmrc"))
    expect((await run("echo x > file")).moved).toEqual([])
    expect((await job.release()).quarantined).toEqual([])
    expect(readFileSync(at("sub/.npmrc"), "utf8")).toBe("allowed")
  })

  test("a process in the background does not outlive the look", async () => {
    const again = `while :; do ${make("sub/.npmrc")}; done`
    const { moved } = await run(`(setsid bash -c '${again}' & nohup bash -c '${again}' &) >/dev/null 2>&1; sleep 0.3`)
    expect(moved).toEqual(["sub/.npmrc"])
    await new Promise((done) => setTimeout(done, 300))
    expect(existsSync(at("sub/.npmrc"))).toBe(false)
  })

  test("a link to a folder elsewhere leads nobody there", async () => {
    const outside = join(ground.base, "outside")
    mkdirSync(join(outside, ".vscode"), { recursive: true })
    writeFileSync(join(outside, ".vscode/tasks.json"), "as it was")
    mkdirSync(at("real"))
    const { moved } = await run(
      `ln -s ${outside} link; ln -s real inner; ${make("inner/.npmrc")}; ln -s ${outside}/.vscode real/.vscode`,
    )
    expect(moved).toEqual(["real/.npmrc", "real/.vscode"])
    expect(readFileSync(join(outside, ".vscode/tasks.json"), "utf8")).toBe("as it was")
    expect(readlinkSync(at("link"))).toBe(outside)
  })

  test("nothing is moved in a folder that took the place of the workspace meanwhile", async () => {
    const sandbox = await ground.prepare()
    await runIn(sandbox, ["/bin/bash", "-c", make("sub/.npmrc")])
    const other = join(ground.base, "other")
    mkdirSync(join(other, "sub"), { recursive: true })
    writeFileSync(join(other, "sub/.npmrc"), "as it was")
    renameSync(ground.root, join(ground.base, "away"))
    renameSync(other, ground.root)
    const { quarantined, note } = await sandbox.release()
    expect([quarantined, readFileSync(at("sub/.npmrc"), "utf8")]).toEqual([[], "as it was"])
    expect(note).toContain("was replaced since the session was opened")
  })

  test("in a wide root only the folder that the command may write is looked at", async () => {
    const wide = await makeSandboxBench({ backend, isWide: (path) => path.endsWith("/workspace") })
    mkdirSync(join(wide.root, "start/sub"), { recursive: true })
    mkdirSync(join(wide.root, "other"))
    const sandbox = await wide.prepare({ directory: join(wide.root, "start") })
    await runIn(sandbox, ["/bin/bash", "-c", "echo evil > sub/.npmrc"])
    // Somebody else works there meanwhile.
    const theirs = ["other/.npmrc", "other/node_modules/p/.npmrc"].map((name) => join(wide.root, name))
    mkdirSync(dirname(theirs[1]!), { recursive: true })
    for (const path of theirs) writeFileSync(path, "mine")
    expect((await sandbox.release()).quarantined.map(({ path }) => path)).toEqual([join(wide.root, "start/sub/.npmrc")])
    expect(theirs.map((path) => readFileSync(path, "utf8"))).toEqual(["mine", "mine"])
    await wide.close()
  })

  test("a link that was there under such a name is put back", async () => {
    put("shared/tasks.json", "as it was")
    mkdirSync(at("sub"))
    symlinkSync("../shared", at("sub/.vscode"))
    const { moved } = await run("rm sub/.vscode; mkdir sub/.vscode; echo evil > sub/.vscode/tasks.json")
    expect(moved).toEqual(["sub/.vscode"])
    expect(readlinkSync(at("sub/.vscode"))).toBe("../shared")
    expect(readFileSync(at("shared/tasks.json"), "utf8")).toBe("as it was")
  })

  test("names of any bytes are found", async () => {
    const { quarantined } = await run(
      "mkdir -p $'a\\xffb/c/.vscode' $'new\\nline/.idea' $'q\"uo;te/.zed' '\u{fffd}/.husky'; echo evil > $'a\\xffb/c/.vscode/tasks.json'; echo evil > $'.env.\\xfe'; mkdir $'.vscod\\xff'",
    )
    const found = quarantined.map(({ path, movedTo }) => [path.slice(ground.root.length + 1), movedTo !== undefined])
    expect(found.sort()).toEqual([
      [".env.\\xfe", true],
      ["a\\xffb/c/.vscode", true],
      ["new\nline/.idea", true],
      ['q"uo;te/.zed', true],
      ["\u{fffd}/.husky", true],
    ])
    const left = readdirSync(ground.root, { encoding: "buffer" }).map((name) => name.toString("latin1"))
    expect(left).toContain(".vscod\xff")
    expect(left.filter((name) => name.startsWith(".env"))).toEqual([])
  })

  test("ten thousand of them are moved, and told in a few words", async () => {
    const { quarantined, note } = await run("mkdir d && cd d && touch $(seq -f .env.%g 9999) plain && mkdir .vscode")
    expect([quarantined.length, note]).toEqual([10_000, undefined])
    expect(quarantined.filter(({ movedTo }) => movedTo === undefined)).toEqual([])
    expect(readdirSync(at("d"))).toEqual(["plain"])
    const words = quarantineWords(quarantined)
    expect(words).toHaveLength(7)
    expect(words.at(-2)).toMatch(/^9995 more were moved to ".*\/quarantine\/[^/]+\/d"$/)
  })

  test("those in installed packages and other folders that are not scanned are told and stay", async () => {
    const { quarantined } = await run(
      `${make("sub/node_modules/p/.npmrc")}; ${make("sub/node_modules/p/q/.vscode/tasks.json")}; ${make("sub/.npmrc")}`,
    )
    const inside = "left there, because it is in a folder that is not scanned"
    expect(quarantined.map(({ path, movedTo, stays }) => [path.slice(at("sub").length), stays, !movedTo])).toEqual([
      ["/.npmrc", undefined, false],
      ["/node_modules/p/.npmrc", inside, true],
      ["/node_modules/p/q/.vscode", inside, true],
    ])
    expect(existsSync(at("sub/node_modules/p/.npmrc"))).toBe(true)
    expect((await run("touch sub/x")).quarantined).toEqual([])
  })

  test("a folder that the command may move takes its names along, unless something else is in their place", async () => {
    for (const name of [".npmrc", ".vscode/tasks.json", ".vscode/settings.json"]) put(`pkg/${name}`, "as it was")
    const mayDelete = (path: string) => path.startsWith(at("pkg"))
    expect((await run("mv pkg lib", { mayDelete })).moved).toEqual([])
    expect(tree()).toEqual(["lib/.npmrc", "lib/.vscode/settings.json", "lib/.vscode/tasks.json"])
    const again = (path: string) => path.startsWith(at("lib"))
    const line =
      "mv lib other; echo evil > other/.npmrc; echo evil > other/.vscode/tasks.json; echo evil > other/.vscode/x"
    expect((await run(line, { mayDelete: again })).moved).toEqual(["other/.npmrc", "other/.vscode"])
  })

  test("files of a folder that the command may remove are compared", async () => {
    put("pkg/.vscode/tasks.json", "as it was")
    put("pkg/.vscode/settings.json", "as it was")
    put("pkg/.npmrc", "as it was")
    const { moved } = await run("echo evil > pkg/.vscode/tasks.json; echo evil > pkg/.vscode/x", {
      mayDelete: (path) => path.startsWith(at("pkg")),
    })
    expect(moved).toEqual(["pkg/.vscode/tasks.json", "pkg/.vscode/x"])
    expect(tree()).toEqual(["pkg/.npmrc", "pkg/.vscode/settings.json"])
  })

  test("more names than mounts can hold are compared", async () => {
    for (let number = 0; number < 300; number++) put(`p${number}/.npmrc`, "as it was")
    const { quarantined } = await ground.run("for d in p*; do echo evil > $d/.npmrc; done; true")
    const changed = quarantined.filter(({ movedTo }) => movedTo !== undefined).length
    const left = readdirSync(ground.root).filter((name) => existsSync(at(`${name}/.npmrc`)))
    expect(changed + left.length).toBe(300)
    expect(left.map((name) => readFileSync(at(`${name}/.npmrc`), "utf8"))).toEqual(left.map(() => "as it was"))
    expect(left.length).toBeGreaterThan(50)
  })
})
