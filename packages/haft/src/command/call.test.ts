import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

interface Envelope {
  readonly type: string
  readonly error_text?: string
  readonly metadata: {
    readonly duration_ms: number
    readonly error_code?: string
    readonly session_id: string
    readonly call_id: string
  }
}
const userFile = (text: string) => {
  mkdirSync(bench.config, { recursive: true, mode: 0o700 })
  writeFileSync(join(bench.config, "config.jsonc"), text, { mode: 0o600 })
}

describe("haft call", () => {
  test("[C2-10] [C2-11] --json prints exactly the envelope", async () => {
    bench.write("a.txt", "TODO one\n")
    const { code, stdout, stderr } = await bench.run(["call", "grep", "pattern=TODO", "--json"])
    expect([code, stderr]).toEqual([0, ""])
    const envelope = JSON.parse(stdout) as Envelope
    expect(Object.keys(envelope)).toEqual(["type", "data", "metadata"])
    expect(typeof envelope.metadata.duration_ms).toBe("number")
  })

  test.each([[[]], [["--json"]], [["--quiet"]]])(
    "a call that the journal misses says so, also with %j",
    async (how) => {
      bench.write("a.txt", "one\n")
      mkdirSync(bench.home, { recursive: true, mode: 0o700 })
      writeFileSync(join(bench.home, "journal.db"), "no journal at all".repeat(100), { mode: 0o600 })
      const { code, stdout, stderr } = await bench.run(["call", "read", "file_path=a.txt", ...how])
      expect([code, stdout]).toEqual([0, expect.stringContaining("one")])
      expect(stderr).toContain("not in the journal")
      expect(stderr).toContain("haft doctor")
    },
  )

  test("without --json it prints what a model reads", async () => {
    bench.write("a.txt", "one\ntwo\n")
    const { code, stdout } = await bench.run(["call", "read", "file_path=a.txt"])
    expect(code).toBe(0)
    expect(stdout).toContain("two")
    expect(stdout).not.toContain('"type"')
  })

  test("a deny of everything is not lifted by the asks of a folder that nobody trusts, answered in advance", async () => {
    userFile('{ "rules": [ { "permission": "*", "action": "deny" }, { "permission": "read", "action": "allow" } ] }')
    bench.write("a.txt", "one\n")
    const ask = (permission: string) => `{ "permission": "${permission}", "action": "ask" }`
    bench.write("haft.jsonc", `{ "rules": [ ${["bash", "write", "fs.write"].map(ask).join(", ")} ] }`)
    for (const words of [
      ["bash", "command=touch q"],
      ["write", "file_path=q", "content=x"],
    ]) {
      const { code, stderr } = await bench.run(["call", ...words, "--yes"])
      expect([code, stderr]).toEqual([6, expect.stringContaining("denies")])
      expect(existsSync(join(bench.work, "q"))).toBe(false)
    }
    expect((await bench.run(["call", "read", "file_path=a.txt"])).stdout).toContain("one")
    // A flag is stronger than the user's file and denies what that allows.
    expect((await bench.run(["call", "read", "file_path=a.txt", "--deny", "*"])).code).toBe(6)
  })

  test("[C2-63] nobody at a terminal: an ask is a deny that names the flag, and nothing is written", async () => {
    const { code, stdout, stderr } = await bench.run(["call", "write", "file_path=x.ts", "content=y"])
    expect([code, stdout]).toEqual([6, ""])
    expect(stderr).toContain("--allow 'fs.write(x.ts)'")
    expect(existsSync(join(bench.work, "x.ts"))).toBe(false)
  })

  test.each([
    [
      "a path outside the roots",
      ["read", "file_path=/opt/elsewhere/a.txt"],
      "Add its folder as a root with --root DIR",
    ],
    [
      "a refusal that no rule lifts",
      ["bash", "command=rm -rf /", "--yes"],
      "See why with: haft explain bash and the same arguments",
    ],
    ["a private address", ["web_fetch", "url=http://127.0.0.1:9/"], "Allow it with --grant-net 127.0.0.1:9"],
    [
      "an address that only a flag opens",
      ["web_fetch", "url=http://127.0.0.1:9/", "--allow", "web_fetch", "--yes"],
      "Allow it with --grant-net 127.0.0.1:9",
    ],
    [
      "a dialect",
      ["write_file", "--dialect", "claw", "path=x.ts", "content=y"],
      'error: Cannot run "write_file": no rule settles fs.write of "x.ts", and nobody is here to ask\n  Allow it with --allow',
    ],
    ["a missing file", ["read", "file_path=none"], "Look for it with glob or ls"],
  ])("%s: the person is told what a person can do", async (_name, words, step) => {
    const { stderr } = await bench.run(["call", ...words])
    expect(stderr).toContain(step)
    expect(stderr).not.toContain("say what you could not do")
  })

  test("where a command was not let go, the flag is a note", async () => {
    const command = "curl -sS -m 5 http://127.0.0.1:9/"
    const { stdout, stderr } = await bench.run([
      "call",
      "bash",
      `command=${command}`,
      "--yes",
      "--grant-net",
      "127.0.0.1:8",
    ])
    expect(stdout).not.toContain("--grant-net")
    expect(stderr).toContain("note: to let it reach 127.0.0.1:9: --grant-net 127.0.0.1:9")
  })

  test("the flag that it names allows it", async () => {
    const { code } = await bench.run(["call", "write", "file_path=x.ts", "content=y", "--allow", "fs.write(x.ts)"])
    expect(code).toBe(0)
    expect(bench.read("x.ts")).toBe("y")
  })

  test("--yes answers the asks of this call, and a deny stays a deny", async () => {
    expect((await bench.run(["call", "write", "file_path=x.ts", "content=y", "--yes"])).code).toBe(0)
    const denied = await bench.run(["call", "write", "file_path=x.ts", "content=z", "--yes", "--deny", "fs.write(**)"])
    expect(denied.code).toBe(6)
    bench.write(".env", "SECRET=1")
    expect((await bench.run(["call", "read", "file_path=.env", "--yes"])).code).toBe(6)
    expect(bench.read("x.ts")).toBe("y")
  })

  test("--mode plan refuses to write whatever is allowed", async () => {
    const words = ["call", "write", "file_path=x.ts", "content=y", "--yes", "--allow", "fs.write(**)", "--mode", "plan"]
    expect((await bench.run(words)).code).toBe(6)
  })

  test.each(["--allow", "--deny", "--ask"])("a misspelt permission of %s is mentioned", async (flag) => {
    bench.write("a.txt", "a")
    const { code, stderr } = await bench.run(["call", "read", "file_path=a.txt", flag, "fs.raed(**)"])
    expect([code, stderr]).toEqual([
      0,
      "note: the rule for fs.raed from a flag names nothing that is known; did you mean fs.read?\n",
    ])
  })

  test("how a long output is read afterwards is said, and works", async () => {
    bench.write("long.txt", `${"x".repeat(79)}\n`.repeat(3_000))
    const { stderr } = await bench.run(["call", "bash", "command=cat long.txt", "--json"])
    const [, words] = /^note: more of the output can be read for a day with: haft (.+)$/m.exec(stderr)!
    const read = await bench.run([...words!.split(" "), "limit=1"])
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining("x".repeat(79))])
  })

  test("a job that is started here is said to end here", async () => {
    const started = await bench.run(["call", "job_start", "command=sleep 9", "--yes"])
    expect(started.code).toBe(0)
    expect(started.stderr).toContain("note: a job ends with the process that started it, which is this command")
    const refused = await bench.run(["call", "job_start", "command=sudo sleep 9", "--yes"])
    expect(refused.stderr).not.toContain("note:")
  })

  test("explain takes --dry-run too, and exits with 0 whatever the verdict", async () => {
    const words = ["explain", "write", "file_path=x.ts", "content=y", "--dry-run"]
    expect((await bench.run(words)).code).toBe(0)
  })

  test("--dry-run judges and runs nothing; the exit code tells", async () => {
    const allowed = await bench.run([
      "call",
      "write",
      "file_path=x.ts",
      "content=y",
      "--dry-run",
      "--allow",
      "fs.write(**)",
    ])
    expect(allowed.code).toBe(0)
    expect(allowed.stdout).toContain("Ladder")
    expect((await bench.run(["call", "write", "file_path=x.ts", "content=y", "--dry-run"])).code).toBe(6)
    expect(existsSync(join(bench.work, "x.ts"))).toBe(false)
  })

  test("--ndjson prints events, the last with the envelope", async () => {
    bench.write("a.txt", "x")
    const { stdout } = await bench.run(["call", "ls", "--ndjson"])
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; seq: number; envelope?: Envelope })
    expect(events.map(({ type }) => type)).toEqual(["tool-call", "tool-start", "tool-end"])
    expect(events.at(-1)?.envelope?.type).toBe("output")
  })

  test("content from standard input arrives byte for byte", async () => {
    await bench.run(["call", "write", "file_path=b.txt", "content=-", "--yes"], { input: "a\r\nb\n" })
    expect(bench.read("b.txt")).toBe("a\r\nb\n")
  })

  test("relative paths start at the current directory inside the root", async () => {
    bench.write("deep/a.txt", "here")
    const { code, stdout } = await bench.run(["call", "read", "file_path=a.txt", "--root", ".."], {
      cwd: join(bench.work, "deep"),
    })
    expect(code).toBe(0)
    expect(stdout).toContain("here")
  })

  test("an aborted run exits 130", async () => {
    const abort = new AbortController()
    abort.abort()
    const { code } = await bench.run(["call", "ls"], { signal: abort.signal })
    expect(code).toBe(130)
  })

  test("a rule of the configuration decides and is named with file and line", async () => {
    userFile(
      '{\n  "rules": [\n    { "permission": "fs.read", "pattern": "secret/**", "action": "deny", "why": "not for tools" }\n  ]\n}',
    )
    bench.write("secret/a.txt", "x")
    const { code, stderr } = await bench.run(["call", "read", "file_path=secret/a.txt"])
    expect(code).toBe(6)
    expect(stderr).toContain("config.jsonc:3")
  })

  test("limits of the configuration are those of the tool", async () => {
    userFile('{ "limits": { "ls": 2 } }')
    for (const name of ["a", "b", "c"]) bench.write(name, "")
    const { stdout } = await bench.run(["call", "ls", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ metadata: { truncated: true } })
  })

  test("a wide current directory is refused with the flag that names it", async () => {
    const { code, stderr } = await bench.run(["call", "ls"], { cwd: "/" })
    expect(code).toBe(2)
    expect(stderr).toContain("--root /")
  })
})

describe("exit codes", () => {
  const prepared: [string, readonly string[], number, (() => unknown)?][] = [
    ["an output", ["call", "ls"], 0],
    ["a search without a match", ["call", "grep", "pattern=none"], 0],
    ["an unknown tool", ["call", "raed"], 2],
    ["an unknown argument", ["call", "read", "file=x"], 2],
    ["a missing argument", ["call", "read"], 2],
    ["a wrong type", ["call", "read", "file_path=a", "limit=x"], 2],
    ["an unknown option", ["call", "ls", "--rules", "x"], 2],
    ["a rule flag that cannot be read", ["call", "ls", "--allow", "fs.read("], 2],
    ["a root that does not exist", ["call", "ls", "--root", "nowhere"], 2],
    ["a configuration that cannot be read", ["call", "ls"], 3, () => bench.write("haft.jsonc", "{")],
    [
      "a rule of a file that cannot be used",
      ["call", "ls"],
      3,
      () => userFile('{ "rules": [ { "permission": "bash", "pattern": "git push*", "action": "deny" } ] }'),
    ],
    ["a missing file", ["call", "read", "file_path=none"], 5],
    ["a directory where a file is meant", ["call", "read", "file_path=."], 5],
    ["a path outside the roots", ["call", "read", "file_path=/etc/hostname"], 6],
    ["a link out", ["call", "read", "file_path=out"], 6, () => symlinkSync("/etc/hostname", join(bench.work, "out"))],
    ["a secret", ["call", "read", "file_path=.env"], 6, () => bench.write(".env", "A=1")],
    ["an unknown session", ["session", "show", "ses_none"], 5],
    ["nothing to undo", ["undo"], 5],
    ["a NUL in a path", ["call", "read", "--args", '{"file_path":"a\\u0000b"}'], 6],
    ["too long a name", ["call", "read", `file_path=${"n".repeat(300)}`], 5],
    ["an explanation of a deny", ["explain", "read", "file_path=.env"], 0],
  ]

  test.each(prepared)("%s", async (_name, words, code, prepare) => {
    prepare?.()
    const ran = await bench.run(words)
    expect(ran.code, ran.stderr).toBe(code)
    if (code !== 0) {
      expect(ran.stdout).toBe("")
      expect(ran.stderr).not.toBe("")
    }
  })

  test("state that others may write exits 3", async () => {
    mkdirSync(bench.home)
    chmodSync(bench.home, 0o777)
    expect((await bench.run(["call", "ls"])).code).toBe(3)
  })
})

describe("haft explain", () => {
  test("says how to reach a path outside the roots", async () => {
    const { code, stdout } = await bench.run(["explain", "read", "file_path=/opt/elsewhere/a.txt"])
    expect(code).toBe(0)
    expect(stdout).toContain("--root DIR")
    expect(stdout).not.toContain("No flag allows it")
  })

  test("names what decided with number, authority and source, what it beat, and the flag that would allow it", async () => {
    const { code, stdout } = await bench.run(["explain", "write", "file_path=x.ts", "content=y"])
    expect(code).toBe(0)
    expect(stdout).toContain("fs.write")
    expect(stdout).toMatch(/specificity \d+/)
    expect(stdout).toContain("--allow 'fs.write(x.ts)'")
    for (const rung of ["schema", "capability", "manifest", "rules", "watchdog", "mode", "person"])
      expect(stdout).toMatch(new RegExp(`^ +${rung} `, "m"))
  })

  test("shows the deciding rule and the one it beat", async () => {
    userFile(
      '{ "rules": [ { "permission": "fs.write", "pattern": "src/**", "action": "deny" },\n { "permission": "fs.write", "pattern": "src/gen/**", "action": "allow" } ] }',
    )
    const { stdout } = await bench.run(["explain", "write", "file_path=src/gen/a", "content=y"])
    expect(stdout).toMatch(
      /rule allow fs\.write\(src\/gen\/\*\*\) +specificity \d+, authority 3 \(user\), from user .*config\.jsonc:2/,
    )
    expect(stdout).toMatch(/beat .*fs\.write\(src\/\*\*\)/)
  })

  test("--json is the whole explanation, and nothing is recorded", async () => {
    const { stdout } = await bench.run(["explain", "read", "file_path=a.txt", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ tool: "read", ladder: { verdict: "allow" } })
    expect((await bench.run(["session", "list", "--json"])).stdout.trim()).toBe("[]")
  })
})
