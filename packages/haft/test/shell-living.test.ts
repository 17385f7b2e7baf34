import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import type { AskAnswer, AskRequest, Person, SessionEvent } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { areHere, dataOf, everythingOf, running, sandboxIsHere, shellWorld, until } from "./shell-world.js"

/** Somebody who gives these answers, one a question, and then rejects. */
function person(answers: AskAnswer[]): Person {
  return {
    ask: async () => answers.shift() ?? { answer: "reject" },
    question: async () => [],
  }
}

describe.skipIf(!sandboxIsHere)("what outlives its call obeys the rules of every moment", () => {
  test("a deny that a person saves ends the job that could read the file, with an event and a clear answer", async () => {
    const events: SessionEvent[] = []
    const denied = { permission: "fs.read", pattern: "plan.txt", action: "deny" } as const
    await using world = await shellWorld(
      { "plan.txt": "secret plan" },
      { hooks: { onEvent: (event) => void events.push(event) }, person: person([{ answer: "session", rule: denied }]) },
    )
    const started = await world.session.call(
      "job_start",
      { command: "while :; do cat plan.txt >> seen; sleep 0.05; done" },
      { answer: "once" },
    )
    const { id } = dataOf(started)
    expect(dataOf(await world.session.call("job_output", { id })).state).toBe("running")
    await world.session.call("write", { file_path: "x", content: "" })
    const ended = dataOf(await world.session.call("job_output", { id }))
    expect(ended).toMatchObject({ state: "stopped", note: expect.stringContaining("tighter") })
    expect(events.filter(({ type }) => type === "process-ended")).toMatchObject([
      { process: { kind: "job", name: id } },
    ])
    const size = readFileSync(world.path("seen")).length
    await world.run("sleep 0.2")
    expect(readFileSync(world.path("seen")).length).toBe(size)
  })

  const secret = { permission: "fs.read", pattern: "secret.txt", action: "deny" } as const

  test("a hidden file that is replaced from outside ends the job at once, with an event and without a further call", async () => {
    const events: SessionEvent[] = []
    await using world = await shellWorld(
      { "deep/secret.txt": "first", "plain.txt": "plain" },
      { hooks: { onEvent: (event) => void events.push(event) }, rules: [{ ...secret, pattern: "deep/secret.txt" }] },
    )
    const { id } = dataOf(await world.session.call("job_start", { command: "sleep 95.41" }, { answer: "once" }))
    const ended = () => events.filter(({ type }) => type === "process-ended")
    writeFileSync(world.path("deep/other.txt"), "beside it")
    writeFileSync(world.path("deep/secret.txt"), "written in its place")
    await world.session.call("read", { file_path: "plain.txt" })
    expect(ended()).toEqual([])
    renameSync(world.path("deep"), world.path("old"))
    mkdirSync(world.path("deep"))
    writeFileSync(world.path("deep/secret.txt"), "replaced")
    await until(() => ended().length > 0)
    expect(ended()).toMatchObject([{ process: { kind: "job", name: id, reason: expect.stringContaining("replaced") } }])
    await until(() => running("sleep 95.41").length === 0)
  })

  test("Haft's own writers do not replace a file that a running process must not see", async () => {
    const spy =
      "import time\nwhile True:\n try: open('seen', 'a').write(open('secret.txt').read())\n except OSError: time.sleep(0.01)\n"
    await using world = await shellWorld({ "secret.txt": "first", "a/b.txt": "x", "spy.py": spy }, { rules: [secret] })
    const once = { answer: "once" } as const
    const write = (content: string) => world.session.call("write", { file_path: "secret.txt", content }, once)
    expect(await write("second")).toMatchObject({ type: "output" })
    const { id } = dataOf(await world.session.call("job_start", { command: "python3 spy.py" }, once))
    expect(await write("third")).toMatchObject({ type: "error", metadata: { error_code: "conflict" } })
    const moves = [{ from: "a/b.txt", to: "secret.txt" }]
    expect(await world.session.call("move", { moves }, once)).toMatchObject({ type: "error" })
    await expect(world.undo()).rejects.toMatchObject({ code: "conflict" })
    expect(readFileSync(world.path("secret.txt"), "utf8")).toBe("second")
    await world.session.call("job_stop", { id }, once)
    expect(await write("third")).toMatchObject({ type: "output" })
    expect(existsSync(world.path("seen")) ? readFileSync(world.path("seen"), "utf8") : "").toBe("")
  })

  test("a sandbox that was started ahead goes when a person saves a deny, and with its session", async () => {
    const denied = { permission: "fs.read", pattern: "plan.txt", action: "deny" } as const
    await using world = await shellWorld(
      { "plan.txt": "secret plan" },
      { person: person([{ answer: "session", rule: denied }]) },
    )
    const look = async (command: string) => {
      const { stdout } = dataOf(await world.session.call("bash", { command }))
      await new Promise((resolve) => setTimeout(resolve, 100))
      return stdout
    }
    expect(await look("cat plan.txt")).toBe("secret plan")
    expect(waitingSandboxes()).toEqual([])
    expect(await look("cat plan.txt")).toBe("secret plan")
    expect(waitingSandboxes()).toHaveLength(1)
    await world.session.call("write", { file_path: "x", content: "" })
    expect(waitingSandboxes()).toEqual([])
    expect(everythingOf(await world.session.call("bash", { command: "cat plan.txt" }))).not.toContain("secret plan")
    await look("ls")
    await look("ls")
    expect(waitingSandboxes()).toHaveLength(1)
    await world.session.close()
    expect(waitingSandboxes()).toEqual([])
  })
})

/** Processes that this one started and that wait for a command. */
function waitingSandboxes(): readonly number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "latin1")
    .split(" ")
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("read -r haft_word"))
    .map(Number)
}

describe.skipIf(!sandboxIsHere)("what a command really reads and runs", () => {
  test("behind a link a step upwards is judged by where it leads", async () => {
    await using world = await shellWorld({ "real/inner/x": "1", "real/.env": "SECRET=1", ".env.example": "a" })
    symlinkSync("real/inner", world.path("link"))
    for (const command of ["cd link && cat ../.env", "cat link/../.env", "cd link && cat ../../real/.env"]) {
      const refused = await world.session.call("bash", { command })
      expect(refused, command).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
      expect(everythingOf(refused)).toContain(".env")
    }
    expect(dataOf(await world.session.call("bash", { command: "cd link && cd .. && cat .env.example" })).stdout).toBe(
      "a",
    )
  })

  test("a long line is read to its end, and what it reads is judged", async () => {
    await using world = await shellWorld({ ".env": "SECRET=1", "a.txt": "fine" })
    const notes = `# ${"a long remark about nothing ".repeat(300)}`
    // A busy machine may not read a line in time, which then asks: tried until it does.
    const read = async (name: string) =>
      everythingOf(await world.session.call("bash", { command: `cat ${name} ${notes}` }))
    let fine = ""
    while (!fine.includes('"stdout":"fine"')) fine = await read("a.txt")
    let refused = ""
    while (!refused.includes("**/.env")) refused = await read(".env")
    expect(refused).not.toContain("SECRET=1")
  })

  test("a saved answer for a script of the project holds in every session while its text is the same", async () => {
    const saved: unknown[] = []
    await using world = await shellWorld(
      { "package.json": '{"scripts":{"test":"echo one"}}', "sub/deep/x": "" },
      {
        person: person([{ answer: "project" }]),
        hooks: {
          saveProjectRule: async (rule) => {
            saved.push(rule)
            return { ...rule, source: { scope: "local" } }
          },
        },
      },
    )
    const call = (command: string) => world.session.call("bash", { command })
    expect((await call("npm test")).type).toBe("output")
    expect(saved).toMatchObject([{ action: "allow", recipe: expect.stringMatching(/^sha256:/) }])
    expect((await call("npm test")).type).toBe("output")
    // npm takes the script of the nearest folder above.
    expect(dataOf(await call("cd sub/deep && npm test")).stdout).toContain("one")
    writeFileSync(world.path("sub/package.json"), '{"scripts":{"test":"echo other > made"}}')
    expect((await call("cd sub/deep && npm test")).type).toBe("error")
    writeFileSync(world.path("package.json"), '{"scripts":{"test":"echo two"}}')
    expect((await call("npm test")).type).toBe("error")
    expect(existsSync(world.path("sub/made"))).toBe(false)
  })

  test("an answer for a script is kept behind a wrapper, and for another command beside it", async () => {
    await using world = await shellWorld(
      { "package.json": '{"scripts":{"test":"npm run -s part","part":"echo one"}}', tool: "#!/bin/sh\necho tool\n" },
      { person: person([{ answer: "session" }, { answer: "session" }]) },
    )
    const call = (command: string) => world.session.call("bash", { command })
    expect((await call("timeout 60 npm test")).type).toBe("output")
    expect((await call("timeout 60 npm test && sh tool")).type).toBe("output")
    expect((await call("timeout 60 npm test && sh tool")).type).toBe("output")
    // The script itself is the same, one that it runs is not.
    writeFileSync(world.path("package.json"), '{"scripts":{"test":"npm run -s part","part":"echo two"}}')
    expect((await call("timeout 60 npm test")).type).toBe("error")
    expect((await call("sh tool")).type).toBe("output")
  })

  test.skipIf(!areHere("make"))(
    "an answer for make holds for the files that it takes in, and shows no denied one",
    async () => {
      const shown: (string | undefined)[] = []
      const ask = async ({ preview }: AskRequest): Promise<AskAnswer> => {
        shown.push(preview?.command?.script)
        return shown.length === 1 ? { answer: "session" } : { answer: "reject" }
      }
      await using world = await shellWorld(
        {
          Makefile: "-include .env\ninclude part.mk\ntest: \\\n  part\n",
          "part.mk": "part:\n\t@echo one\n",
          ".env": "KEY=5ecret\n",
        },
        { person: { ask, question: async () => [] } },
      )
      const call = () => world.session.call("bash", { command: "make test" })
      for (let times = 0; times < 2; times++) expect(dataOf(await call()).stdout).toBe("one\n")
      expect(shown).toEqual([expect.stringContaining("echo one")])
      writeFileSync(world.path("part.mk"), "part:\n\t@echo two > made\n")
      expect((await call()).type).toBe("error")
      expect(shown.at(-1)).toContain("echo two")
      expect(shown.join()).not.toContain("5ecret")
      expect(existsSync(world.path("made"))).toBe(false)
    },
  )

  test("a rule that a person widened holds for the text that was shown, and none is offered where that is not known", async () => {
    const proposals: unknown[] = []
    const answers: AskAnswer[] = [
      { answer: "session", rule: { permission: "bash", pattern: "make tes?", action: "allow" } },
    ]
    const ask = async ({ proposal }: AskRequest): Promise<AskAnswer> => {
      proposals.push(proposal?.rule.pattern)
      return answers.shift() ?? { answer: "reject" }
    }
    await using world = await shellWorld(
      { Makefile: "test:\n\t@echo one\n" },
      { person: { ask, question: async () => [] } },
    )
    const call = async () => (await world.session.call("bash", { command: "make test" })).type
    expect([await call(), await call()]).toEqual(["output", "output"])
    writeFileSync(world.path("Makefile"), "test:\n\t@echo two\n")
    expect(await call()).toBe("error")
    writeFileSync(world.path("Makefile"), "test:\n\t@echo two\ninclude $(FILES)\n")
    expect(await call()).toBe("error")
    expect(proposals).toEqual(["make test", "make test", undefined])
  })

  test("an answer for a script that was not there is for no script, and one that changed meanwhile is a conflict", async () => {
    let change = () => {}
    const ask = async (): Promise<AskAnswer> => {
      change()
      return { answer: "session" }
    }
    await using world = await shellWorld({ "package.json": "{}" }, { person: { ask, question: async () => [] } })
    const call = (command: string) => world.session.call("bash", { command })
    await call("npm test")
    let asked = 0
    change = () => {
      asked++
      writeFileSync(world.path("package.json"), '{"scripts":{"test":"echo two > made"}}')
    }
    writeFileSync(world.path("package.json"), '{"scripts":{"test":"echo one"}}')
    const result = await call("npm test")
    expect(asked).toBe(1)
    expect(everythingOf(result)).toContain("changed while the question was open")
    expect(existsSync(world.path("made"))).toBe(false)
  })
})
