import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench } from "../testing/sandbox-bench.js"

let place: string
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "haft-places-")))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

describe.each(backendsHere)("wide roots behind %s", (backend) => {
  test("a home directory as root is seen without its credentials, and written only below the folder of the command", async () => {
    const home = join(place, "home")
    for (const folder of [".ssh", ".config/app", "project", "other"]) mkdirSync(join(home, folder), { recursive: true })
    for (const name of [".ssh/id_rsa", ".config/app/token", ".netrc"]) writeFileSync(join(home, name), "secret")
    writeFileSync(join(home, "other/note"), "seen")
    const bench = await makeSandboxBench({
      backend,
      roots: [home],
      isWide: (path) => path === home,
      home,
      directory: join(home, "project"),
    })
    const { stdout, sandbox } = await bench.run(
      "cat ../other/note; cat ../.ssh/id_rsa ../.config/app/token ../.netrc 2>/dev/null; touch ../other/x 2>/dev/null || echo ' refused'; touch made && echo made; [ $HOME = " +
        home +
        " ] || echo elsewhere; touch ~/x && echo own home",
      { directory: join(home, "project") },
    )
    expect(stdout).toBe("seen refused\nmade\nelsewhere\nown home\n")
    expect(sandbox.isolation.notes).toContain("a wide root is shown read-only")
    expect((await bench.run("touch made", { directory: home })).code).not.toBe(0)
    await bench.close()
  })

  test("a folder that is wide itself cannot be written by starting in it: homes, what is above them, the system", async () => {
    const home = join(place, "people/home")
    mkdirSync(home, { recursive: true })
    const isWide = (path: string) => ["/", "/usr"].includes(path)
    const bench = await makeSandboxBench({ backend, roots: ["/"], isWide, home, directory: home })
    for (const directory of [home, join(place, "people"), bench.base, bench.haftHome, "/usr"]) {
      const line = `touch "${directory}/haft-x" 2>/dev/null && rm "${directory}/haft-x" && echo written; echo end`
      expect((await bench.run(line, { directory }).catch(() => ({ stdout: "end\n" }))).stdout, directory).toBe("end\n")
    }
    await bench.close()
  })

  test("the whole machine as root is seen read-only, without Haft's state, processes, services and kernel settings", async () => {
    const project = join(place, "project")
    mkdirSync(project)
    const bench = await makeSandboxBench({
      backend,
      roots: ["/"],
      isWide: (path) => path === "/" || path === "/usr",
      directory: project,
    })
    writeFileSync(join(bench.haftHome, "journal"), "state")
    const { stdout, stderr } = await bench.run(
      `ls -d /usr/bin /boot 2>/dev/null; cat ${bench.haftHome}/journal /etc/shadow 2>/dev/null; ls /sys/kernel /run/* 2>/dev/null; ls -d /proc/[0-9]* | wc -l; echo > /dev/null; for f in /usr/haft-x /boot/haft-x /haft-x; do touch $f 2>/dev/null && rm $f && echo written; done; echo refused`,
      { directory: "/usr" },
    )
    expect(stderr).toBe("")
    const lines = stdout.trim().split("\n")
    expect(lines[0]).toBe("/boot")
    expect(Number(lines.at(-2))).toBeLessThan(10)
    expect(lines.at(-1)).toBe("refused")
    expect(stdout).not.toContain("state")
    await bench.close()
  })
})

describe.each(backendsHere)("Haft's state below a folder that is shown behind %s", (backend) => {
  test.each([
    ["a further readable folder", (folder: string) => ({ readable: [folder] })],
    ["a wide root", (folder: string) => ({ roots: [folder], isWide: (path: string) => path === folder })],
    ["a root of a project", (folder: string) => ({ roots: [folder] })],
  ])("is not there: %s", async (_, shownBy) => {
    const folder = join(place, "shown")
    const state = join(folder, "state")
    const config = join(folder, "config")
    const own = join(state, "sessions", "mine")
    const project = join(folder, "project")
    for (const each of [join(state, "sessions/other/scratch"), config, project]) mkdirSync(each, { recursive: true })
    const secrets = [join(state, "journal"), join(state, "sessions/other/scratch/note"), join(config, "haft.jsonc")]
    for (const secret of secrets) writeFileSync(secret, "secret")
    writeFileSync(join(folder, "seen"), "seen\n")
    const bench = await makeSandboxBench({
      ...{ backend, roots: [project], directory: project, haftHome: state, hidden: [config] },
      ...{ sessionFolder: own, cacheFolder: join(state, "cache/w") },
      ...shownBy(folder),
    })
    const line = `cat ${folder}/seen; cat ${secrets.join(" ")} 2>/dev/null; ls -A ${config} ${state}/sessions; echo x > ${config}/made; true`
    const { stdout } = await bench.run(line, { directory: project })
    expect(stdout).toBe(`seen\n${config}:\n\n${state}/sessions:\nmine\n`)
    expect(existsSync(join(config, "made"))).toBe(false)
    await bench.close()
  })
})

describe.skipIf(!isInstalled("git")).each(backendsHere)("a worktree behind %s", (backend) => {
  test("its repository outside the root is not there, until a person lets commands write it, and then without hooks", async () => {
    const main = join(place, "main")
    mkdirSync(main)
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: main })
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "one")
    git("worktree", "add", "-q", join(place, "tree"))
    const root = join(place, "tree")
    const without = await makeSandboxBench({ backend, roots: [root], directory: root })
    expect((await without.run("git status", { directory: root })).stderr).toContain("not a git repository")
    await without.close()

    const gitDirs = [{ path: join(main, ".git"), write: true }]
    const given = await makeSandboxBench({ backend, roots: [root], directory: root, gitDirs })
    const { stdout, stderr } = await given.run(
      `echo x > file && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm two && git log --oneline | wc -l; echo evil > ${main}/.git/hooks/pre-commit; git config core.pager evil; echo "gitdir: /tmp" > .git; ls ${main}`,
      { directory: root },
    )
    expect(stdout).toBe("2\n")
    expect(stderr.match(/Read-only|Device or resource busy|could not (lock|write)/g)?.length).toBeGreaterThanOrEqual(2)
    expect(existsSync(join(main, ".git/hooks/pre-commit"))).toBe(false)
    expect(readFileSync(join(main, ".git/config"), "utf8")).not.toContain("evil")
    await given.close()
  })
})

test.skipIf(backendsHere.length === 0)(
  "profile server shows nothing of the workspace, so that no command can start there",
  async () => {
    const bench = await makeSandboxBench()
    const started = bench.run("touch x", { sandbox: { profile: "server" } })
    await expect(started).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("outside the workspace"),
    })
    await bench.close()
  },
)
