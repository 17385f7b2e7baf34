import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { AskAnswer, AskRequest, PlacedRule } from "@haft/contract"
import { parseRule } from "@haft/guard"
import type { Explanation } from "@haft/runtime"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { answersFile } from "../src/config/answers-file.js"
import { libraryWorld } from "./library-world.js"
import { areHere, dataOf, everythingOf, sandboxIsHere, shellWorld } from "./shell-world.js"
import { type Workbench, workbench } from "./workbench.js"

// What Haft wrote in November 2026 for 13 answers "always in this project", when answers had no method and few had a
// text. The file is never made anew: it shows what becomes of the answers that people have on their disks.
const stored = fileURLToPath(new URL("./stored/answers.jsonc", import.meta.url))

describe("answers that a former version kept", () => {
  let bench: Workbench
  beforeEach(() => {
    bench = workbench()
    bench.write("package.json", '{"scripts":{"test":"echo one","build":"sh build.sh"}}\n')
    bench.write("build.sh", "echo built\n")
    bench.write("x.sh", "echo x\n")
    chmodSync(bench.write("tool.sh", "#!/bin/sh\necho tool\n"), 0o755)
    bench.write("Makefile", "all:\n\t@echo all\n")
    bench.write("a.js", "console.log(1)\n")
    bench.write("src/old.ts", "")
    const file = answersFile(bench.config, bench.work)
    mkdirSync(dirname(file), { recursive: true })
    copyFileSync(stored, file)
    chmodSync(file, 0o600)
  })
  afterEach(() => bench.remove())

  async function verdictOf(tool: string, ...words: readonly string[]): Promise<string | undefined> {
    const { stdout, stderr, code } = await bench.run(["explain", tool, ...words, "--json"])
    expect([code, stderr]).toEqual([0, ""])
    const { ladder } = JSON.parse(stdout) as Explanation
    return ladder.rungs.find(({ rung }) => rung === "rules")?.verdict
  }
  const bash = (command: string) => verdictOf("bash", `command=${command}`)
  const request = (method: string, host: string) =>
    verdictOf("http_request", `url=https://${host}/`, `method=${method}`)

  test("all of them are listed", async () => {
    const { stdout } = await bench.run(["rule", "list", "--json"])
    const rules = JSON.parse(stdout) as readonly { readonly rule: string; readonly source: string }[]
    const kept = rules.filter(({ source }) => source.includes("projects/"))
    expect(kept.map(({ rule }) => rule)).toEqual([
      ...["bash(npm test)", "bash(npm run build)", "bash(bash x.sh)", "bash(./tool.sh)", "bash(make all)"],
      ...["bash(node a.js)", "bash(bash)", "bash(git commit *)", "fs.write(made)"],
      ...["net.fetch(z.test)", "net.fetch(x.test)", "net.fetch(y.test)", "fs.write(src/**)"],
    ])
  })

  test("a bound one settles its command while the text is the same", async () => {
    expect(await bash("npm test")).toBe("allow")
    expect(await bash("make all")).toBe("allow")
    bench.write(".npmrc", "script-shell=./evil\n")
    bench.write("Makefile", "all:\n\t@echo other\n")
    expect(await bash("npm test")).toBe("ask")
    expect(await bash("make all")).toBe("ask")
  })

  test("one that was bound to a part of what runs asks again", async () => {
    expect(await bash("npm run build")).toBe("ask")
  })

  test.each(["bash x.sh", "./tool.sh", "node a.js", "bash", "bash < x.sh", "cat x.sh | bash"])(
    "one that was bound to no text settles nothing that runs one: %s",
    async (command) => {
      expect(await bash(command)).toBe("ask")
    },
  )

  test("one for a host settles reading, and no other method", async () => {
    for (const host of ["x.test", "y.test", "z.test"]) {
      expect(await verdictOf("web_fetch", `url=https://${host}/`)).toBe("allow")
      expect(await request("GET", host)).toBe("allow")
      expect(await bash(`curl https://${host}/`)).toBe("allow")
      for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
        expect(await request(method, host), method).toBe("ask")
      expect(await bash(`curl -X DELETE https://${host}/`)).toBe("ask")
      expect(await bash(`curl -d a=1 https://${host}/`)).toBe("ask")
    }
    expect(await verdictOf("web_fetch", "url=https://other.test/")).toBe("ask")
  })

  test("those that are about neither a text nor a method settle what they did", async () => {
    expect(await bash("git commit -m y")).toBe("allow")
    expect(await bash("touch made")).toBe("allow")
    expect(await verdictOf("write", "file_path=src/a.ts", "content=x")).toBe("allow")
    expect(await bash("git push")).toBe("ask")
    expect(await bash("touch other")).toBe("ask")
    expect(await verdictOf("write", "file_path=other.ts", "content=x")).toBe("ask")
  })

  test("a person who is asked again sees that it was allowed before", async () => {
    const { stdout } = await bench.run(["explain", "bash", "command=bash x.sh", "--json"])
    const { preview } = JSON.parse(stdout) as Explanation
    expect(preview?.command).toMatchObject({ script: "echo x\n", formerScript: null })
  })

  test("the same rule that somebody wrote as a rule holds as it is written", async () => {
    rmSync(answersFile(bench.config, bench.work))
    for (const rule of ["bash(bash x.sh)", "net.fetch(x.test)"])
      expect((await bench.run(["rule", "add", "allow", rule])).code).toBe(0)
    expect(await bash("bash x.sh")).toBe("allow")
    expect(await request("DELETE", "x.test")).toBe("allow")
  })
})

test("answers in the journal of a session that goes on are taken in the same way", async () => {
  const { requests, person } = asked()
  const world = await libraryWorld({ "x.sh": "echo x\n" })
  try {
    const haft = await world.haft({ toolset: "all", person })
    const opened = await haft.openSession()
    await opened.call("ls", {})
    const former = ["bash(bash x.sh)", "net.fetch(x.test)", "fs.write(src/**)"].map(
      (text): PlacedRule => ({ ...parseRule(text, "allow"), source: { scope: "session" } }),
    )
    await (await haft.store()).savePermissions(opened.id, former)
    await opened.detach()
    const session = await haft.openSession({ id: opened.id })
    const verdict = async (name: string, input: object) => (await session.explain(name, input)).ladder.verdict
    expect(await verdict("bash", { command: "bash x.sh" })).toBe("ask")
    expect(await verdict("http_request", { url: "https://x.test/", method: "DELETE" })).toBe("ask")
    expect(await verdict("web_fetch", { url: "https://x.test/" })).toBe("allow")
    expect(await verdict("write", { file_path: "src/a.ts", content: "" })).toBe("allow")
    expect(requests).toEqual([])
  } finally {
    await world.remove()
  }
})

/** Somebody who answers in turn and then rejects, with what was asked. */
function asked(...answers: AskAnswer[]) {
  const requests: AskRequest[] = []
  const ask = async (request: AskRequest): Promise<AskAnswer> => {
    requests.push(request)
    return answers.shift() ?? { answer: "reject" }
  }
  return { requests, person: { ask, question: async () => [] } }
}

const always: AskAnswer = { answer: "session" }

describe.skipIf(!sandboxIsHere)("an answer for a command that runs a script", () => {
  const files = {
    "x.sh": "sh lib/y.sh\n",
    "lib/y.sh": "echo one\n",
    "package.json": '{"scripts":{"test":"sh x.sh"}}',
    Makefile: "x:\n\t@sh x.sh\n",
    "run.js": "console.log('one')\n",
    "hook.js": "\n",
  }
  const changes: readonly (readonly [command: string, file: string, text: string])[] = [
    ["bash x.sh", "x.sh", "touch made\n"],
    ["bash x.sh", "lib/y.sh", "touch made\n"],
    ["sh -eu ./x.sh a b", "x.sh", "touch made\n"],
    [". ./x.sh", "x.sh", "touch made\n"],
    ["timeout 20 sh x.sh", "lib/y.sh", "touch made\n"],
    ["node run.js", "run.js", "require('fs').writeFileSync('made', '')\n"],
    ["node -r ./hook.js run.js", "hook.js", "require('fs').writeFileSync('made', '')\n"],
    ["npm test", "package.json", '{"scripts":{"test":"touch made"}}'],
    ["npm test", "lib/y.sh", "touch made\n"],
    ["npm test", ".npmrc", "script-shell=./evil\n"],
    ["npm test", ".npmrc", '"script\\u002dshell" = ./evil\n'],
    ["make x", "Makefile", "x:\n\ttouch made\n"],
    ["make x", "GNUmakefile", `x:\n\ttouch made\n${"#".repeat(1_100_000)}\n`],
    ["make x", "x.sh", "touch made\n"],
    ["bash x.sh", "x.sh", "touch made\n\u0000"],
    ["bash x.sh", "lib/y.sh", `touch made\n${"#".repeat(1_100_000)}\n`],
  ]

  test.each(changes)("%s asks again when %s changed", async (command, file, text) => {
    if (!areHere(...["npm", "make", "node"].filter((name) => command.startsWith(name)))) return
    const { requests, person } = asked(always)
    await using world = await shellWorld(files, { person })
    writeFileSync(world.path("evil"), "#!/bin/sh\ntouch made\n", { mode: 0o755 })
    const call = () => world.session.call("bash", { command })
    for (let times = 0; times < 2; times++) expect(dataOf(await call()).exit_code).toBe(0)
    expect(requests).toHaveLength(1)
    const [first] = requests
    expect(first!.preview!.command!.formerScript).toBeUndefined()
    expect(first!.proposal!.also).toMatch(/holds while the text that is shown stays the same.*may change/)
    writeFileSync(world.path(file), text)
    expect((await call()).metadata.error_code).toBe("denied")
    expect(requests).toHaveLength(2)
    const { script, formerScript } = requests[1]!.preview!.command!
    expect(formerScript).toBe(first!.preview!.command!.script)
    expect(script).not.toBe(formerScript)
    expect(existsSync(world.path("made"))).toBe(false)
  })

  test("of a text that was seen once more settles both texts", async () => {
    const { requests, person } = asked(always, always)
    await using world = await shellWorld(files, { person })
    const call = async (text: string) => {
      writeFileSync(world.path("x.sh"), text)
      return dataOf(await world.session.call("bash", { command: "bash x.sh" })).stdout
    }
    for (const text of ["echo one\n", "echo two\n", "echo one\n", "echo two\n"])
      expect(await call(text)).toBe(text.slice("echo ".length))
    expect(requests).toHaveLength(2)
  })

  test("that was deleted asks again, shows the former text and keeps nothing", async () => {
    const { requests, person } = asked(always)
    await using world = await shellWorld(files, { person })
    const call = () => world.session.call("bash", { command: "bash x.sh" })
    await call()
    rmSync(world.path("x.sh"))
    await call()
    expect(requests[1]).toMatchObject({
      preview: { command: { formerScript: "sh lib/y.sh\n\nlib/y.sh:\necho one\n" } },
    })
    expect([requests[1]!.preview!.command!.script, requests[1]!.proposal]).toEqual([undefined, undefined])
    expect(requests[1]!.offers).toEqual(["once", "reject", "edit"])
  })

  const unknown: readonly (readonly [what: string, prepare: (path: (name: string) => string) => void])[] = [
    ["too large", (path) => writeFileSync(path("x.sh"), `true\n${"#".repeat(1_100_000)}\n`)],
    ["no text", (path) => writeFileSync(path("x.sh"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]))],
    [
      "outside",
      (path) => {
        rmSync(path("x.sh"))
        symlinkSync("/etc/hostname", path("x.sh"))
      },
    ],
    [
      "a folder",
      (path) => {
        rmSync(path("x.sh"))
        mkdirSync(path("x.sh"))
      },
    ],
    ["running what is too large", (path) => writeFileSync(path("lib/y.sh"), `true\n${"#".repeat(1_100_000)}\n`)],
  ]
  test.each(unknown)("is offered for this call alone where the script is %s", async (_what, prepare) => {
    const { requests, person } = asked()
    await using world = await shellWorld(files, { person })
    prepare(world.path)
    for (const command of ["bash x.sh", "sh -e x.sh", "make x"]) await world.session.call("bash", { command })
    expect(requests.map(({ offers }) => offers)).toEqual(Array(3).fill(["once", "reject", "edit"]))
  })

  test.each(["cat x.sh | bash", "bash < x.sh", "cd $HOME; npm test", "make -C lib x", "bash -s a < x.sh"])(
    "is offered for this call alone where its words do not tell the text: %s",
    async (command) => {
      const { requests, person } = asked()
      await using world = await shellWorld(files, { person })
      await world.session.call("bash", { command })
      expect(requests.map(({ proposal }) => proposal)).toEqual([undefined])
    },
  )

  test.each([
    "printf 'touch made' > x.sh; bash x.sh",
    "cp other x.sh && bash x.sh",
    "mv moved x.sh; bash x.sh",
    "ln -sf other x.sh; bash x.sh",
    "cp other lib/y.sh && bash x.sh",
    "cp other real.sh && bash link.sh",
    "rm -r lib; mv lib2 lib; bash x.sh",
    "git stash pop; bash x.sh",
    "bash x.sh & cp other x.sh",
  ])("does not settle a line that changes the script itself: %s", async (command) => {
    const { requests, person } = asked(always, always)
    const rules = ["fs.write(**)", "fs.delete(**)", "bash(git stash *)"].map((text) => parseRule(text, "allow"))
    const others = { other: "touch made\n", moved: "touch made\n", "lib2/y.sh": "touch made\n", "real.sh": "true\n" }
    await using world = await shellWorld({ ...files, ...others }, { person, rules })
    symlinkSync("real.sh", world.path("link.sh"))
    for (const saved of ["bash x.sh", "bash link.sh"]) dataOf(await world.session.call("bash", { command: saved }))
    expect((await world.session.call("bash", { command })).metadata.error_code).toBe("denied")
    expect(requests).toHaveLength(3)
    expect(requests[2]!.proposal).toBeUndefined()
    expect(existsSync(world.path("made"))).toBe(false)
    expect((await world.session.call("bash", { command: "echo x > note; bash x.sh" })).type).toBe("output")
  })

  test("lines of one file are not taken for those of another", async () => {
    const { requests, person } = asked(always)
    const before = { "x.sh": "node a.js; sh c.sh\n", "a.js": "/*\nc.sh:\ntouch made\n#*/", "c.sh": "true" }
    await using world = await shellWorld(before, { person })
    const call = () => world.session.call("bash", { command: "bash x.sh" })
    await call()
    writeFileSync(world.path("a.js"), "/*")
    writeFileSync(world.path("c.sh"), "touch made\n#*/\nc.sh:\ntrue")
    await call()
    expect(requests).toHaveLength(2)
    // What is shown looks the same, and is distinguished all the same.
    expect(requests[1]!.preview!.command!.script).toBe(requests[0]!.preview!.command!.script)
    expect(existsSync(world.path("made"))).toBe(false)
  })

  const swaps: readonly (readonly [what: string, before: string | Buffer, after: string | Buffer])[] = [
    ["a text", "echo one\n", "touch made\n"],
    ["what is no text", Buffer.from("true\n\0\xff", "latin1"), Buffer.from("touch made\n\0\xfe", "latin1")],
    ["what is too large", `true\n${"#".repeat(1_100_000)}`, `touch made\n${"#".repeat(1_100_000)}`],
  ]
  test.each(swaps)("does not run %s that changed while the question was open", async (_what, before, after) => {
    await using world = await shellWorld(
      {},
      {
        person: {
          ask: async () => {
            writeFileSync(world.path("x.sh"), after)
            return { answer: "once" }
          },
          question: async () => [],
        },
      },
    )
    writeFileSync(world.path("x.sh"), before)
    const result = await world.session.call("bash", { command: "bash x.sh" })
    expect(result.metadata.error_code).toBe("conflict")
    expect(everythingOf(result)).toContain("changed while the question was open")
    expect(existsSync(world.path("made"))).toBe(false)
  })

  test("holds for the text that was shown, also where it changes before its turn to run comes", async () => {
    const { requests, person } = asked(always)
    await using world = await shellWorld({ "x.sh": "echo one\n" }, { person })
    // As many as run at a time: the one behind them waits, already judged.
    const busy = Array.from({ length: 8 }, () =>
      world.session.call("bash", { command: "sleep 3; printf 'touch made\\n' > x.sh" }, { answer: "once" }),
    )
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const result = await world.session.call("bash", { command: "bash x.sh" })
    await Promise.all(busy)
    expect(requests).toHaveLength(1)
    expect(everythingOf(result)).toContain("changed before it could start")
    expect(existsSync(world.path("made"))).toBe(false)
    expect((await world.session.call("bash", { command: "bash x.sh" })).metadata.error_code).toBe("denied")
  })
})

describe("an answer for a request", () => {
  test.each([
    ["http_request", { url: "https://x.test/a" }, "http_request(GET x.test)"],
    ["web_fetch", { url: "https://x.test/a" }, "web_fetch(x.test)"],
    ["bash", { command: "curl -s https://x.test" }, "net.fetch(GET x.test)"],
  ] as const)("of %s settles no sending and no deleting", async (name, input, rule) => {
    const { requests, person } = asked(always)
    await using world = await shellWorld({}, { person })
    await world.session.call(name, input)
    const { permission, pattern } = requests[0]!.proposal!.rule
    expect(`${permission}(${pattern})`).toBe(rule)
    expect(requests[0]!.proposal!.also).toContain("every address of this host")
    await world.session.call(name, input)
    expect(requests).toHaveLength(1)
    for (const method of ["POST", "DELETE"] as const) {
      await world.session.call("http_request", { url: "https://x.test/a", method })
      await world.session.call("bash", { command: `curl -X ${method} https://x.test/a` })
    }
    expect(requests).toHaveLength(5)
  })

  test("cannot be widened to every method by an answer", async () => {
    const rule = { permission: "net.fetch", pattern: "x.test", action: "allow" } as const
    const { person } = asked({ answer: "session", rule })
    await using world = await shellWorld({}, { person })
    const result = await world.session.call("bash", { command: "curl https://x.test" })
    expect(everythingOf(result)).toContain("it would hold for every method; name one, as in GET x.test")
  })
})
