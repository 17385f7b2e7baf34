import { spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { until } from "./shell-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { asUser, canBecomeOthers, openUserWorld, userWorlds } from "./user-worlds.js"

let haft: SourceCommand
beforeAll(async () => {
  if (canBecomeOthers) haft = await sourceCommand()
})
afterAll(() => haft?.remove())

describe.skipIf(!canBecomeOthers).each(userWorlds)(
  "/tmp of a session, one process for each call, behind $backend, as user $user in a workspace of user $owner",
  { timeout: 60_000 },
  ({ backend, user, owner }) => {
    let world: ReturnType<typeof openUserWorld>
    let base: string
    beforeEach(() => {
      world = openUserWorld(backend)
      base = world.base
      for (const folder of ["home", "ws", "state"]) mkdirSync(join(base, folder))
      chownSync(join(base, "ws"), owner, owner)
      chownSync(join(base, "state"), user, user)
    })
    afterEach(() => world.remove())

    const wordsFor = (words: readonly string[]) => asUser(user, process.execPath, haft.program, ...words)
    const settings = () => ({
      cwd: join(base, "ws"),
      env: { HOME: join(base, "home"), HAFT_HOME: join(base, "state"), PATH: world.path },
    })
    function call(...words: readonly string[]) {
      const { stdout, stderr } = spawnSync("setpriv", wordsFor(["call", ...words, "--json"]), {
        ...settings(),
        encoding: "utf8",
      })
      if (stdout === "") throw new Error(stderr)
      return JSON.parse(stdout)
    }
    const bash = (command: string, ...words: readonly string[]) => call("bash", `command=${command}`, ...words).data
    /** What sessions have left in the state folder. */
    const left = () => {
      const sessions = join(base, "state/sessions")
      return readdirSync(sessions).flatMap((id) => readdirSync(join(sessions, id)).map((name) => join(id, name)))
    }
    const temporaryLeft = () => left().filter((name) => /\/(tmp|home|outside)$/.test(name))
    const openMarks = () => readdirSync(join(base, "state/sessions-open"))

    test("a session of one call leaves nothing of it, and one that goes on finds what it left", () => {
      const first = call("bash", "command=echo one > /tmp/a; cat /tmp/a; stat -c %a /tmp /var/tmp")
      expect(first.data).toMatchObject({ stdout: "one\n1777\n1777\n", exit_code: 0 })
      expect([temporaryLeft(), openMarks()]).toEqual([[], []])
      const again = ["--session", first.metadata.session_id]
      expect(bash("ls /tmp/a", ...again).stderr).toContain("No such file")
      expect(bash("echo two > /tmp/b; mkdir -m 700 /tmp/d", ...again).exit_code).toBe(0)
      expect(call("read", "file_path=/tmp/b", ...again)).toMatchObject({ type: "output", data: { content: "two\n" } })
      expect(call("write", "file_path=/tmp/c", "content=three\n", ...again).type).toBe("output")
      expect(call("write", "file_path=/var/tmp/d/e", "content=five\n", ...again).type).toBe("output")
      expect(call("edit", "file_path=/tmp/b", "old_string=two", "new_string=TWO", ...again).type).toBe("output")
      const changed = bash("cat /tmp/b /tmp/c /tmp/d/e; echo x >> /tmp/b; rm -r /tmp/c /tmp/d; ls /tmp", ...again)
      expect(changed).toMatchObject({ stderr: "", exit_code: 0 })
      expect(changed.stdout.split("\n").slice(0, 4)).toEqual(["TWO", "three", "five", "b"])
      expect(openMarks()).toEqual([])
      // Another session, and the machine.
      expect(bash("ls /tmp/b").stderr).toContain("No such file")
      expect(call("read", "file_path=/tmp/b").type).toBe("error")
      expect(existsSync("/tmp/b")).toBe(false)
      spawnSync("setpriv", wordsFor(["session", "remove", first.metadata.session_id]), settings())
      expect(temporaryLeft()).toEqual([])
    })

    test("a person is told that what was written there is gone with the call", () => {
      const words = (...rest: readonly string[]) =>
        spawnSync("setpriv", wordsFor(["call", ...rest]), { ...settings(), encoding: "utf8" }).stderr
      const gone = /^note: what was written to \/tmp was there for this call alone, and is gone; .* --session ses_\w+$/m
      expect(words("write", "file_path=/tmp/x", "content=x")).toMatch(gone)
      expect(words("bash", "command=echo x > /tmp/x")).toMatch(gone)
      expect(words("bash", "command=true")).toBe("")
    })

    test("links there lead tools nowhere, also into the state folder", () => {
      const { session_id } = call("bash", "command=true").metadata
      const again = ["--session", session_id]
      const links = {
        s: "/etc/shadow",
        j: join(base, "state/redaction.key"),
        k: "../../../redaction.key",
        h: "../home",
      }
      const lines = Object.entries(links).map(([name, to]) => `ln -s ${to} /tmp/${name}`)
      // In a file, because rules would refuse what a line names.
      writeFileSync(join(base, "ws/link.sh"), `set -e\n${lines.join("\n")}\n`)
      expect(bash("sh link.sh", ...again, "--yes")).toMatchObject({ stderr: "", exit_code: 0 })
      for (const name of Object.keys(links)) {
        expect(call("read", `file_path=/tmp/${name}`, ...again).type, name).toBe("error")
        expect(call("write", `file_path=/tmp/${name}`, "content=x", ...again).type, name).toBe("error")
        expect(call("grep", "pattern=.", `path=/tmp/${name}`, ...again).type, name).toBe("error")
        expect(call("ls", `path=/tmp/${name}`, ...again).type, name).toBe("error")
      }
    })

    test("nothing of it is left by a process that was killed, once another one has started", async () => {
      const command = "command=echo x > /tmp/x; echo x > ~/x; touch begun; sleep 60"
      const child = spawn("setpriv", wordsFor(["call", "bash", command, "--yes"]), { ...settings(), stdio: "ignore" })
      const over = new Promise((resolve) => child.once("exit", resolve))
      await until(() => existsSync(join(base, "ws/begun")))
      child.kill("SIGKILL")
      await over
      expect(temporaryLeft()).not.toEqual([])
      // A session that is open meanwhile keeps its own.
      expect(bash("echo mine > /tmp/mine; cat /tmp/mine").stdout).toBe("mine\n")
      expect([temporaryLeft(), openMarks()]).toEqual([[], []])
    })
  },
)
