import { execFileSync, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { asUser, canBecomeOthers, openUserWorld, userWorlds } from "./user-worlds.js"

let haft: SourceCommand
beforeAll(async () => {
  if (canBecomeOthers) haft = await sourceCommand()
})
afterAll(() => haft?.remove())

describe.skipIf(!canBecomeOthers).each(userWorlds)(
  "writes outside the workspace behind $backend, as user $user in a workspace of user $owner",
  ({ backend, user, owner }) => {
    let world: ReturnType<typeof openUserWorld>
    let base: string

    beforeAll(() => {
      world = openUserWorld(backend)
      base = world.base
      for (const folder of ["home", "home/docs", "code", "code/ws", "state", "closed"]) mkdirSync(join(base, folder))
      writeFileSync(join(base, "home/diary"), "private\n")
      writeFileSync(join(base, "home/notes"), "one\n")
      writeFileSync(join(base, "code/ws/a.txt"), "alpha\n")
      writeFileSync(join(base, "code/old.txt"), "one\ntwo\n")
      const git = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-C", join(base, "code/ws/source")]
      execFileSync("git", ["init", "-q", join(base, "code/ws/source")])
      execFileSync("git", [...git, "commit", "-q", "--allow-empty", "-m", "one"])
      execFileSync("chown", ["-R", `${owner}:${owner}`, join(base, "code"), join(base, "home")])
      for (const folder of ["state"]) chownSync(join(base, folder), user, user)
    })
    afterAll(() => world.remove())

    function run(...words: readonly string[]) {
      const argv = [process.execPath, haft.program, ...words]
      const { stdout, stderr } = spawnSync("setpriv", asUser(user, ...argv), {
        cwd: join(base, "code/ws"),
        encoding: "utf8",
        env: {
          PATH: world.path,
          HOME: join(base, "home"),
          HAFT_HOME: join(base, "state"),
          XDG_CONFIG_HOME: join(base, "none"),
        },
      })
      return { stdout, stderr }
    }
    const bash = (command: string) => {
      const { stdout, stderr } = run("call", "bash", `command=${command}`, "--yes", "--json")
      const answer = JSON.parse(stdout || "null")
      expect(answer?.data?.isolation?.backend ?? stdout + stderr).toContain(backend)
      return answer.data as { stdout: string; stderr: string; exit_code: number; changes?: { note?: string } }
    }
    const undo = () => run("undo")
    const read = (name: string) => readFileSync(join(base, name), "utf8")

    test.runIf(user !== 0)("a folder that this user may not enter is named, before the command starts", () => {
      mkdirSync(join(base, "locked"), { mode: 0o700 })
      const { error_text } = JSON.parse(
        run("call", "bash", "command=touch begun; echo x > ../../locked/a", "--yes", "--json").stdout,
      )
      expect(error_text).toContain(`Cannot run the command: it changes "${join(base, "locked/a")}"`)
      expect(existsSync(join(base, "code/ws/begun"))).toBe(false)
    })

    test("they are real, belong to the right user, and are undone", () => {
      expect(bash("echo hi > ../o.txt && ls -l ../o.txt")).toMatchObject({ exit_code: 0 })
      expect(read("code/o.txt")).toBe("hi\n")
      expect(statSync(join(base, "code/o.txt")).uid).toBe(owner)
      undo()
      expect(existsSync(join(base, "code/o.txt"))).toBe(false)

      expect(
        bash("sed -i s/two/zwei/ ../old.txt; mkdir ../m; touch ../t; cp -r source ../copy; mv a.txt ../b.txt"),
      ).toMatchObject({
        exit_code: 0,
      })
      expect(read("code/old.txt")).toBe("one\nzwei\n")
      expect(readdirSync(join(base, "code")).sort()).toEqual(["b.txt", "copy", "m", "old.txt", "t", "ws"])
      for (const name of ["b.txt", "m", "old.txt", "t"])
        expect(statSync(join(base, "code", name)).uid, name).toBe(owner)
      undo()
      expect(read("code/old.txt")).toBe("one\ntwo\n")
      expect(readdirSync(join(base, "code")).sort()).toEqual(["old.txt", "ws"])
      expect(read("code/ws/a.txt")).toBe("alpha\n")
      expect(statSync(join(base, "code/old.txt")).uid).toBe(owner)

      expect(bash("rm ../old.txt")).toMatchObject({ exit_code: 0 })
      expect(existsSync(join(base, "code/old.txt"))).toBe(false)
      undo()
      expect(read("code/old.txt")).toBe("one\ntwo\n")
    })

    test("in the home directory nothing else becomes visible", () => {
      const line =
        "echo two >> ~/notes; git clone -q source ~/clone; cat ~/diary; ls ~; ls ~/docs; touch ~/docs/new; echo $?"
      const { stdout, stderr, changes } = bash(line)
      expect(stdout + stderr).not.toContain("private")
      expect(read("home/notes"), JSON.stringify({ stdout, stderr, changes })).toBe("one\ntwo\n")
      expect(existsSync(join(base, "home/clone/.git/HEAD"))).toBe(true)
      expect(existsSync(join(base, "home/docs/new"))).toBe(true)
      undo()
      expect(read("home/notes")).toBe("one\n")
      expect(readdirSync(join(base, "home")).sort()).toEqual(["diary", "docs", "notes"])
      expect(readdirSync(join(base, "home/docs"))).toEqual([])
    })

    test.skipIf(owner === 0)("what the user may not write fails in the command itself", () => {
      const { exit_code, stderr } = bash(`touch ${join(base, "closed/x")}`)
      expect({ exit_code, stderr }).toEqual({ exit_code: 1, stderr: expect.stringContaining("Permission denied") })
      expect(readdirSync(join(base, "closed"))).toEqual([])
    })
  },
)
