import { ToolError } from "@haft/contract"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { commands } from "./commands.js"
import { parseInvocation } from "./invocation.js"
import { everywhere, options } from "./option.js"

function failure(words: string): ToolError {
  try {
    parseInvocation(words.split(" "))
  } catch (error) {
    if (ToolError.is(error)) return error
    throw error
  }
  throw new Error("it was understood")
}

describe("a command line", () => {
  test("options may be anywhere and repeat where they may", () => {
    const parsed = parseInvocation([
      "--json",
      "call",
      "read",
      "--root",
      "a",
      "file_path=x",
      "--root=b",
      "--allow",
      "fs.read(a b)",
    ])
    expect(parsed.path).toBe("call")
    expect(parsed.operands).toEqual(["read", "file_path=x"])
    expect(parsed.list("root")).toEqual(["a", "b"])
    expect(parsed.list("allow")).toEqual(["fs.read(a b)"])
    expect(parsed.json).toBe(true)
  })

  test.each([
    [["read", "a.txt"], "call", ["read", "a.txt"]],
    [["grep", "TODO", "-i"], "call", ["grep", "TODO", "-i"]],
    [["grep", "-i=true", "TODO", "-y"], "call", ["grep", "-i=true", "TODO"]],
    [["read_file", "--dialect", "claw", "path=x"], "call", ["read_file", "path=x"]],
    [["skill", "list"], "skill list", []],
    [["session", "ls"], "session list", []],
    [["session", "rm", "ses_x"], "session remove", ["ses_x"]],
    [["explain", "grep", "x", "-i"], "explain", ["grep", "x", "-i"]],
  ])("%j is %s", (words, path, operands) => {
    expect(parseInvocation(words)).toMatchObject({ path, operands })
  })

  test.each(["- a list", "--- a/file", "--file them under b"])(
    "a sentence that begins so is no slip of an option: %s",
    (words) => {
      expect(() => parseInvocation(["run", words])).toThrow(
        expect.objectContaining({ hint: 'See haft help; a word of your own that begins with "-" comes after "--"' }),
      )
    },
  )

  test.each(["run Hi", "ls", "session list", "doctor", "tools", "mcp list"])(
    "%s prints one document or a line for each event, not both",
    (words) => {
      expect(failure(`${words} --json --ndjson`)).toMatchObject({
        code: "invalid_args",
        message: 'Cannot use "--json" with "--ndjson": each wants standard output for itself',
        hint: "Leave one of them out",
      })
    },
  )

  test("words after -- are operands", () => {
    expect(parseInvocation(["call", "write", "--", "content=--json"]).operands).toEqual(["write", "content=--json"])
  })

  test.each([
    ["cll read", "there is no such command", "Did you mean call"],
    ["raed x", "there is no such command", "Did you mean read"],
    ["session list -x", 'Cannot use "-x": there is no such option', undefined],
    ["-x", 'Cannot use "-x": there is no such option', undefined],
    ["session lst", "there is no such command", "Did you mean list"],
    ["session", "say what to do", "See haft help session"],
    ["call read --rot x", "there is no such option", "Did you mean --root?"],
    ["call read --mode plann", "it must be plan or ask", "Did you mean plan?"],
    ["call read --mode", "it needs a value", undefined],
    ["call read --mode --json", "it needs a value", undefined],
    ["call read --json=yes", "it takes no value", undefined],
    ["call", "it needs TOOL", "See haft help call"],
    ["undo a b", 'Cannot use "b"', undefined],
    ["explain read --yes", "it exists for call only", "Use --mode auto"],
    ["session list --yes", "it exists for call only", "Leave it out"],
    ["extension enable notes --yes", "it exists for call only", "Leave it out"],
    ["tools --dry-run", 'Cannot use "--dry-run" with "haft tools"', undefined],
    ["call read --mode ask --mode plan", "twice", undefined],
    ["call read --dialect klaw", "it must be haft or asyar or claw or a3s or lobe", undefined],
    ["tools -x", "there is no such option", undefined],
    ["call grep pattern=a --ii=true", "there is no such option", undefined],
  ])("%s: a usage error that helps", (words, message, hint) => {
    const error = failure(words)
    expect(error.code).toBe("invalid_args")
    expect(error.message).toContain(message)
    if (hint) expect(error.hint).toContain(hint)
  })

  test("every option that a command names exists, and every option is named", () => {
    const all = commands.flatMap((command) => [command, ...(command.commands ?? [])])
    const used = new Set([...all.flatMap((command) => command.options ?? []), ...everywhere])
    expect([...used].sort()).toEqual(Object.keys(options).sort())
  })

  test("every command loads", async () => {
    for (const command of commands.flatMap((each) => each.commands ?? [each])) {
      expect(typeof (await command.load?.())?.run, command.name).toBe("function")
    }
  })

  test("any words are understood or refused with a typed error", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("call", "--json", "--", "--root", "-q", "session", "list", "--__proto__", "-", "=", "a=b"),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
        try {
          parseInvocation(argv)
        } catch (error) {
          expect(ToolError.is(error)).toBe(true)
        }
      }),
    )
  })
})
