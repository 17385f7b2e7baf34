import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { isInside } from "@haft/contract"
import { scriptedPerson } from "@haft/testkit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { libraryWorld } from "./library-world.js"
import { dataOf, sandboxIsHere, shellWorld } from "./shell-world.js"

describe.skipIf(!sandboxIsHere)("/tmp of a session", () => {
  // What the machine has in its own /tmp, which no session sees.
  let machine: string
  beforeAll(() => {
    machine = mkdtempSync(join(tmpdir(), "haft-machine-"))
    writeFileSync(join(machine, "file"), "foreign-4711\n")
  })
  afterAll(() => rmSync(machine, { recursive: true, force: true }))

  test("lasts from command to command, unasked, and is nobody else's", async () => {
    await using world = await shellWorld()
    const bash = async (command: string) => dataOf(await world.session.call("bash", { command }))
    expect(await bash("echo one > /tmp/a && mkdir -p /var/tmp/d && echo two > /var/tmp/d/b")).toMatchObject({
      exit_code: 0,
    })
    const top = join(world.root, "..").split("/").at(-1)!
    const names = (await bash("cat /tmp/a /tmp/d/b; ls /tmp")).stdout.split("\n")
    // A home directory may be in one of the two; the way to it is there then.
    const leadsHome = (name: string) =>
      name !== "" && ["/tmp", "/var/tmp"].some((at) => isInside(homedir(), join(at, name)))
    expect(names.filter((name) => !leadsHome(name))).toEqual([...["one", "two", "a", "d", top, ""]])
    expect((await bash(`cat ${machine}/file`)).stderr).toContain("No such file")
    expect(existsSync("/tmp/a")).toBe(false)
    const other = await world.open()
    expect(dataOf(await other.call("bash", { command: "cat /tmp/a" })).exit_code).toBe(1)
  })

  test("is the same for every tool", async () => {
    await using world = await shellWorld()
    const { session } = world
    const bash = async (command: string) => dataOf(await session.call("bash", { command }))
    await bash("mkdir /tmp/d; printf 'alpha\\nbeta\\n' > /tmp/d/a.txt")
    expect(JSON.stringify(dataOf(await session.call("read", { file_path: "/tmp/d/a.txt" })))).toContain("beta")
    expect(JSON.stringify(dataOf(await session.call("grep", { pattern: "bet", path: "/tmp" })))).toContain(
      "/tmp/d/a.txt",
    )
    expect(JSON.stringify(dataOf(await session.call("glob", { pattern: "**/*.txt", path: "/tmp" })))).toContain(
      "/tmp/d/a.txt",
    )
    expect(JSON.stringify(dataOf(await session.call("ls", { path: "/var/tmp/d" })))).toContain("a.txt")
    dataOf(await session.call("write", { file_path: "/tmp/new/b.txt", content: "gamma\n" }))
    dataOf(await session.call("edit", { file_path: "/tmp/d/a.txt", old_string: "beta", new_string: "delta" }))
    expect((await bash("cat /tmp/new/b.txt /tmp/d/a.txt")).stdout).toBe("gamma\nalpha\ndelta\n")
    const shown = JSON.stringify(await session.call("read", { file_path: "/tmp/d/a.txt" }))
    expect(shown).not.toContain(world.home)
  })

  test("a job, an interpreter and a sandbox that was started ahead see it too", async () => {
    await using world = await shellWorld({}, { rules: [{ permission: "repl", action: "allow" }] })
    const { session } = world
    await session.call("bash", { command: "echo shared > /tmp/a" })
    const code = "print(open('/tmp/a').read())"
    expect(dataOf(await session.call("repl", { language: "python", code }, { answer: "once" })).stdout).toContain(
      "shared",
    )
    const job = await session.call("job_start", { command: "cat /tmp/a; echo by-the-job > /tmp/j" }, { answer: "once" })
    const { id, output } = dataOf(job) as unknown as { id: string; output: string }
    const more = output.includes("shared")
      ? ""
      : JSON.stringify(await session.call("job_output", { id, wait_ms: 5000 }))
    expect(output + more).toContain("shared")
    for (let round = 0; round < 4; round += 1) {
      expect(dataOf(await session.call("bash", { command: "cat /tmp/j" })).stdout).toBe("by-the-job\n")
      await new Promise((done) => setTimeout(done, 100))
    }
  })

  test("what is missing there is said to be missing in the session's /tmp", async () => {
    await using world = await shellWorld()
    const { type, ...rest } = await world.session.call("read", { file_path: `${machine}/file` })
    expect({ type, rest: JSON.stringify(rest) }).toEqual({
      type: "error",
      rest: expect.stringContaining("this is the session's own /tmp"),
    })
    const { stderr, isolation } = dataOf(await world.session.call("bash", { command: `cat ${machine}/file` }))
    expect(stderr).toContain("No such file")
    expect(JSON.stringify(isolation)).toContain("/tmp is the session's own")
  })

  test("links there lead where a command is led, and nowhere else", async () => {
    await using world = await shellWorld({ ".env": "KEY=hush-4712\n", "a.txt": "alpha\n" })
    const { session } = world
    const links = {
      l: "/tmp/x",
      m: join(machine, "file"),
      e: world.path(".env"),
      h: "/etc/hostname",
      w: world.path("a.txt"),
    }
    writeFileSync(
      world.path("link.sh"),
      ["echo x > /tmp/x", ...Object.entries(links).map(([name, to]) => `ln -s ${to} /tmp/${name}`)].join("\n"),
    )
    await world.run("sh link.sh")
    expect(JSON.stringify(dataOf(await session.call("read", { file_path: "/tmp/l" })))).toContain("x")
    expect(JSON.stringify(dataOf(await session.call("read", { file_path: "/tmp/w" })))).toContain("alpha")
    for (const name of ["m", "e", "h"]) {
      const envelope = await session.call("read", { file_path: `/tmp/${name}` })
      expect(envelope.type, name).toBe("error")
      expect(JSON.stringify(envelope)).not.toMatch(/4711|4712/)
    }
    // A link of the workspace leads there as well.
    symlinkSync("/tmp/x", world.path("link"))
    expect(JSON.stringify(dataOf(await session.call("read", { file_path: "link" })))).toContain("x")
    symlinkSync(join(machine, "file"), world.path("out"))
    expect((await session.call("read", { file_path: "out" })).type).toBe("error")
  })

  test("steps upwards from it lead where a command is led, and questions name it as commands do", async () => {
    const person = scriptedPerson({ asks: [{ answer: "reject" }, { answer: "reject" }] })
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { person })
    const { session } = world
    const bash = (command: string) => session.call("bash", { command })
    expect(dataOf(await bash(`cat /tmp/..${world.path("a.txt")}`)).stdout).toBe("alpha\n")
    expect(dataOf(await bash("echo x > /tmp/../tmp/y; cat /var/tmp/../tmp/y")).stdout).toBe("x\n")
    // The folders of the session that are beside it are none of the command's.
    expect((await bash("echo x > /tmp/../scratch/x")).metadata.error_code).toBe("denied")
    expect((await bash("git init /tmp/r")).metadata.error_code).toBe("denied")
    expect(JSON.stringify(person.asked.map(({ ladder }) => ladder))).not.toContain(join(world.home, "sessions"))
    expect(person.asked).toHaveLength(2)
  })

  test("a command cannot lead the next one, or a tool, out of it by a link", async () => {
    await using world = await shellWorld()
    const top = join("/tmp", join(world.root, "..").split("/").at(-1)!)
    const victim = join(machine, "victim")
    mkdirSync(victim, { recursive: true })
    const swap = (old: string) => `mv ${top} /tmp/away; ln -s ${old}${victim} ${top}`
    writeFileSync(world.path("swap.sh"), `{ ${swap("/oldroot")}; ${swap("")}; rm -rf ${top}; } 2>/dev/null`)
    await world.run("sh swap.sh")
    expect((await world.run("pwd; touch here")).stdout).toBe(`${world.root}\n`)
    expect(existsSync(world.path("here"))).toBe(true)
    expect(readdirSync(victim)).toEqual([])
    expect((await world.session.call("write", { file_path: `${top}/x`, content: "x" }, { answer: "once" })).type).toBe(
      "error",
    )
  })

  test("is gone with the session, and stays for one that goes on", async () => {
    const world = await libraryWorld()
    const haft = await world.haft()
    const session = await haft.openSession()
    const kept = () => {
      const folders = readdirSync(join(world.home, "sessions")).map((id) => join(world.home, "sessions", id, "tmp"))
      return folders.filter((folder) => existsSync(join(folder, "mark")))
    }
    await session.call("bash", { command: "mkdir /tmp/closed; touch /tmp/mark /tmp/closed/x; chmod 555 /tmp/closed" })
    expect(kept()).toHaveLength(1)
    await session.detach()
    const again = await haft.openSession({ id: session.id })
    expect(dataOf(await again.call("bash", { command: "ls /tmp" })).stdout).toContain("mark")
    await again.close()
    expect(kept()).toEqual([])
    expect(readdirSync(join(world.home, "sessions"))).toEqual([])
    await world.remove()
  })

  test("without a sandbox it is the machine's, and is asked about", async () => {
    const person = scriptedPerson({ asks: [{ answer: "reject" }, { answer: "reject" }] })
    await using world = await shellWorld({}, { person, sandbox: { policy: "off" } })
    expect((await world.session.call("bash", { command: `touch ${machine}/x` })).type).toBe("error")
    expect((await world.session.call("read", { file_path: `${machine}/file` })).type).toBe("error")
    expect(person.asked).toHaveLength(1)
    expect(existsSync(join(machine, "x"))).toBe(false)
  })
})
