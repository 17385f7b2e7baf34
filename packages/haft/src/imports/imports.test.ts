import type { Action, CallPart } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fetchCall, judgeOf } from "../../../dialects/test/foreign-calls.js"
import { command, fileCall, variables } from "../../../guard/test/world.js"
import { arrange, type ForeignEntry, type ImportedRow, withoutExceptions } from "./arrange.js"
import { byStrictness, readClaude, readClaw } from "./claude.js"
import { readCodex } from "./codex.js"
import { readCursor } from "./cursor.js"
import { ForeignJson } from "./foreign-file.js"
import { readOpencode } from "./opencode.js"
import { readZed } from "./zed.js"

// Each program in a few lines, on texts as it sees them, as its own documentation tells it. What no rule of it matches asks.

type Kind = "command" | "read" | "write" | "fetch"
type Call = readonly [Kind, string]
const strictness: readonly Action[] = ["allow", "ask", "deny"]
const isAtLeast = (ours: Action, theirs: Action) => strictness.indexOf(ours) >= strictness.indexOf(theirs)

const commands = [
  ...[
    "git status",
    "git push",
    "git push origin main",
    "github x",
    "rm -rf x",
    "RM -rf x",
    "git PUSH",
    "ls",
    "lsof -i",
  ],
  ...["npm run test", "npm run test:unit", "npm run lint", "npm install x", "cargo build", "cargo build-x", "make"],
]
const paths = [
  "src/a.ts",
  "src/ab.ts",
  "src/ab/c.ts",
  "src/gen/b.ts",
  "README.md",
  "docs/x.md",
  ".env",
  "pkg/.env",
  "pkg/.env.local",
  "secrets/k/x",
]
const addresses = ["https://example.org/a", "https://docs.example.org/b", "https://other.test/"]
const calls: readonly Call[] = [
  ...commands.map((text) => ["command", text] as const),
  ...paths.flatMap((path) => [["read", path] as const, ["write", path] as const]),
  ...addresses.map((url) => ["fetch", url] as const),
]

function partsOf([kind, subject]: Call, tool = kind === "write" ? "write" : kind): readonly CallPart[] {
  if (kind === "command") return [command(subject)]
  if (kind === "fetch") return fetchCall("web_fetch", subject)
  return fileCall(tool, kind === "read" ? "fs.read" : "fs.write", subject)
}

const place = { path: "/home/me/app/x", name: "x", personal: false }
const rulesOf = (rows: readonly ImportedRow[]) => rows.flatMap(({ rules }) => rules)
const strictFirst = (entries: readonly ForeignEntry[]) => arrange(byStrictness(entries), { exceptions: false })
const json = (value: unknown) => new ForeignJson(JSON.stringify(value))

/** Fails where our rules allow more than the program does; tells how often both allow. */
function neverWider(rows: readonly ImportedRow[], theirs: (call: Call) => Action): number {
  const judged = judgeOf(rulesOf(rows))
  let allowed = 0
  for (const call of calls) {
    const [ours, other] = [judged(partsOf(call)), theirs(call)]
    // A pattern that ignores case may leave a command to be asked about that differs in nothing else.
    const isOtherCase = ours === "ask" && /[A-Z]/.test(call[1])
    expect(
      isAtLeast(ours, other) || isOtherCase,
      `${call.join(" ")}: ${ours} for ${other} by ${JSON.stringify(rulesOf(rows))}`,
    ).toBe(true)
    if (ours === "allow") allowed += 1
  }
  return allowed
}

const star = (text: string) =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "s",
  )

// Claude Code: deny, then ask, then allow; paths as in .gitignore.

function claudeVerdict(lists: Readonly<Record<string, readonly string[]>>, [kind, subject]: Call): Action {
  const tools = { command: ["Bash"], read: ["Read"], write: ["Edit", "Write"], fetch: ["WebFetch"] }[kind]
  const hit = (action: string) =>
    (lists[action] ?? []).some((text) => {
      const [, tool, content] = /^(\w+)(?:\((.*)\))?$/.exec(text)!
      if (!tools.includes(tool!)) return false
      if (content === undefined || content === "*") return true
      if (kind === "command") return claudeCommand(content, subject)
      if (kind === "fetch") return new URL(subject).hostname === content.replace(/^domain:/, "")
      // Of the tools that write only Edit is compared with paths.
      return tool !== "Write" && gitignored(content, subject)
    })
  return (["deny", "ask", "allow"] as const).find(hit) ?? "ask"
}

function claudeCommand(content: string, subject: string): boolean {
  const open = /^([^*]*?)(?::\*| \*)$/.exec(content)?.[1]
  if (open !== undefined) return subject === open || subject.startsWith(`${open} `)
  return star(content).test(subject)
}

function gitignored(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "")
  if (plain.startsWith("//")) return plain.slice(1) === `/home/me/app/${path}`
  const anchored = plain.replace(/^\//, "")
  const source = (plain.includes("/") ? anchored : `**/${anchored}`)
    .split("/")
    .map((part) =>
      part === "**" ? "(?:[^/]+/)*" : `${part.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*")}/`,
    )
    .join("")
  const parts = `${path}/`
  return new RegExp(`^${source}`).test(parts) || (anchored.endsWith("**") && new RegExp(`^${source}`).test(parts))
}

const claudeRules = fc.constantFrom(
  ...[
    "Bash",
    "Bash(git:*)",
    "Bash(git push:*)",
    "Bash(git status)",
    "Bash(git *)",
    "Bash(npm run test*)",
    "Bash(ls:*)",
    "Bash(ls *)",
  ],
  ...["Bash(* origin *)", "Bash(git * main)", 'Bash(echo "x":*)', "Bash(rm:*)", "Bash(npm run:*)", "Bash(*)"],
  ...[
    "Read",
    "Read(src/**)",
    "Read(./src/a.ts)",
    "Read(.env)",
    "Read(**/.env)",
    "Read(/docs/)",
    "Read(src/*)",
    "Read(*.ts)",
    "Read([a]*)",
  ],
  ...[
    "Edit",
    "Edit(src/**)",
    "Edit(src/ab)",
    "Edit(secrets)",
    "Edit(/docs/*.md)",
    "Write",
    "Write(src/**)",
    "Read(//home/me/app/.env)",
  ],
  ...["WebFetch", "WebFetch(domain:example.org)", "WebFetch(domain:other.test)"],
)
const lists = fc.record({
  allow: fc.array(claudeRules, { maxLength: 5 }),
  deny: fc.array(claudeRules, { maxLength: 2 }),
  ask: fc.array(claudeRules, { maxLength: 2 }),
})

test("Claude Code: whatever the import allows, its own rules allow, and it is no stricter than it must be", () => {
  let allowed = 0
  fc.assert(
    fc.property(lists, (permissions) => {
      const rows = strictFirst(readClaude(json({ permissions }), place))
      allowed += neverWider(rows, (call) => claudeVerdict(permissions, call))
    }),
    { numRuns: 400 },
  )
  expect(allowed).toBeGreaterThan(400)
})

// opencode: the last match decides; a star stands for anything.

type Permission = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>

function opencodeVerdict(permission: Permission, [kind, subject]: Call): Action {
  const tools = { command: "bash", read: "read", write: "edit", fetch: "webfetch" }
  const found = Object.entries(permission).flatMap(([name, value]) => {
    if (!star(name).test(tools[kind])) return []
    if (typeof value === "string") return [value]
    return Object.entries(value).flatMap(([pattern, action]) => {
      const isOpen = kind === "command" && pattern.endsWith(" *")
      return star(pattern).test(subject) || (isOpen && star(pattern.slice(0, -2)).test(subject)) ? [action] : []
    })
  })
  return found.at(-1) ?? "ask"
}

const action = fc.constantFrom<Action>("allow", "ask", "deny")
const patterns = (...texts: readonly string[]) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...texts), action), { maxLength: 5, selector: ([text]) => text })
    .map(Object.fromEntries)
const opencodePermission = fc
  .tuple(
    fc.option(action, { nil: undefined }),
    patterns("*", "git *", "git push *", "git status", "npm run test*", "ls*", "rm *", "* main", "git ????"),
    patterns("*", "src/*", "*.env", "*.env.*", "src/a.ts", "docs/*.md", "*secrets*"),
    patterns("*", "src/*", "src/gen/*", "*.md", "README.md"),
    fc.option(action, { nil: undefined }),
  )
  .map(
    ([all, bash, read, edit, fetch]): Permission => ({
      ...(all && { "*": all }),
      ...{ bash, read, edit },
      ...(fetch && { "web*": fetch }),
    }),
  )

test("opencode: whatever the import allows, its own rules allow, in both shapes", () => {
  let allowed = 0
  fc.assert(
    fc.property(opencodePermission, (permission) => {
      const rows = arrange(readOpencode(json({ permission }), place), { exceptions: true })
      allowed += neverWider(rows, (call) => opencodeVerdict(permission, call))
      const permissions = Object.entries(permission).flatMap(([name, value]) =>
        Object.entries(typeof value === "string" ? { "*": value } : value).map(([resource, effect]) => ({
          action: name,
          resource,
          effect,
        })),
      )
      const other = arrange(readOpencode(json({ permissions }), place), { exceptions: true })
      expect(rulesOf(other).map(({ why: _, ...rule }) => rule)).toEqual(
        rulesOf(rows).map(({ why: _, ...rule }) => rule),
      )
    }),
    { numRuns: 300 },
  )
  expect(allowed).toBeGreaterThan(300)
})

// Codex: the strictest of all prefixes that match.

test("Codex: whatever the import allows, its own rules allow", () => {
  const token = fc.constantFrom('"git"', '"push"', '"status"', '["push", "status"]', '"npm"', '"run"', '"rm"', '"a b"')
  const rule = fc.record({
    pattern: fc.array(token, { minLength: 1, maxLength: 3 }),
    decision: fc.constantFrom("allow", "prompt", "forbidden"),
  })
  let allowed = 0
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), (rules) => {
      const text = rules.map(
        ({ pattern, decision }) => `prefix_rule(pattern = [${pattern.join(", ")}], decision = "${decision}")`,
      )
      const verdicts: Readonly<Record<string, Action>> = { allow: "allow", prompt: "ask", forbidden: "deny" }
      const rows = strictFirst(readCodex(text.join("\n"), place))
      allowed += neverWider(rows, ([kind, subject]) => {
        if (kind !== "command") return "ask"
        const words = subject.split(" ")
        const hits = rules.filter(({ pattern }) =>
          pattern.every((each, index) => {
            const tokens = JSON.parse(each) as string | string[]
            return typeof tokens === "string" ? tokens === words[index] : tokens.includes(words[index]!)
          }),
        )
        return (
          (["deny", "ask", "allow"] as const).find((each) =>
            hits.some(({ decision }) => verdicts[decision] === each),
          ) ?? "ask"
        )
      })
    }),
    { numRuns: 300 },
  )
  expect(allowed).toBeGreaterThan(50)
})

// Zed: regular expressions, deny over confirm over allow over the default.

test("Zed: whatever the import allows, its own rules allow, whatever the case", () => {
  const regex = fc.record({
    pattern: fc.constantFrom(
      ...[
        "^git",
        "^git\\s+push",
        "^git\\s+(push|status)",
        "^npm\\s+run\\s+test",
        "^rm",
        "rm -rf",
        "^cargo build\\b",
        "^ls(\\s|$)",
        "^make$",
      ],
      ...["^git (?!push)", "^[a-z]+$", "^cargo\\s+(build|test|check)", "(", "^npm\\s*run", ".*"],
    ),
    case_sensitive: fc.boolean(),
  })
  const terminal = fc.record({
    always_allow: fc.array(regex, { maxLength: 3 }),
    always_deny: fc.array(regex, { maxLength: 2 }),
    always_confirm: fc.array(regex, { maxLength: 1 }),
    default: fc.constantFrom("allow", "confirm", "deny"),
  })
  let allowed = 0
  fc.assert(
    fc.property(terminal, fc.constantFrom("allow", "confirm", "deny"), (tool, general) => {
      const settings = { agent: { tool_permissions: { default: general, tools: { terminal: tool } } } }
      const rows = strictFirst(readZed(json(settings), place))
      const meant: Readonly<Record<string, Action>> = { allow: "allow", confirm: "ask", deny: "deny" }
      allowed += neverWider(rows, ([kind, subject]) => {
        // Reading is no tool that it asks about.
        if (kind === "read") return "ask"
        if (kind !== "command") return meant[general]!
        const hit = (list: readonly { pattern: string; case_sensitive: boolean }[]) =>
          list.some(({ pattern, case_sensitive }) => {
            try {
              return new RegExp(pattern, case_sensitive ? "" : "i").test(subject)
            } catch {
              return false
            }
          })
        if (hit(tool.always_deny)) return "deny"
        if (hit(tool.always_confirm)) return "ask"
        return hit(tool.always_allow) ? "allow" : meant[tool.default]!
      })
    }),
    { numRuns: 400 },
  )
  expect(allowed).toBeGreaterThan(400)
})

// Cursor: allowlists of its editor; of its command line a deny before an allow.

test("Cursor: whatever the import allows, its own rules allow", () => {
  const terminal = fc.constantFrom(
    "git",
    "git push",
    "npm run",
    "cargo build",
    "ls",
    "rm:-rf",
    "npm:*",
    "make*",
    "*",
    "",
  )
  const token = fc.constantFrom(
    ...["Shell(git)", "Shell(ls)", "Shell(rm)", "Shell(npm:*)", "Shell(git:push*)", "Shell(*)", "Shell(git push)"],
    ...["Read(src/**)", "Read(**/.env)", "Read(.env*)", "Read(/home/me/app/.env)", "Read(README.md)", "Read(**/*.ts)"],
    ...["Write(src/**)", "Write(README.md)", "Write(docs/*.md)", "Write(**/.env*)", "Write(**)", "Read([ab].md)"],
    ...[
      "WebFetch(example.org)",
      "WebFetch(*.example.org)",
      "WebFetch(*)",
      "Mcp(github:get_issue)",
      "Mcp(*:*)",
      "Odd(x)",
    ],
  )
  const settings = fc.record({
    terminalAllowlist: fc.array(terminal, { maxLength: 3 }),
    allow: fc.array(token, { maxLength: 4 }),
    deny: fc.array(token, { maxLength: 2 }),
  })
  let allowed = 0
  fc.assert(
    fc.property(settings, ({ terminalAllowlist, allow, deny }) => {
      const rows = strictFirst(readCursor(json({ terminalAllowlist, permissions: { allow, deny } }), place))
      allowed += neverWider(rows, (call) => cursorVerdict({ terminalAllowlist, allow, deny }, call))
    }),
    { numRuns: 400 },
  )
  expect(allowed).toBeGreaterThan(200)
})

test.each(["WebFetch()", "WebFetch", "WebFetch( )", "Shell()", "Read()", "Write"])(
  "cursor: %j names nothing, so it allows nothing and denies everything",
  (token) => {
    const rulesFrom = (action: string) =>
      rulesOf(strictFirst(readCursor(json({ permissions: { [action]: [token] } }), place)))
    expect(rulesFrom("allow")).toEqual([])
    expect(rulesFrom("deny").map(({ action }) => action)).toContain("deny")
  },
)

type CursorLists = Readonly<Record<"terminalAllowlist" | "allow" | "deny", readonly string[]>>

function cursorVerdict({ terminalAllowlist, allow, deny }: CursorLists, [kind, subject]: Call): Action {
  const hit = (text: string) => {
    const [, tool, content] = /^(\w+)\((.*)\)$/.exec(text)!
    if (tool !== { command: "Shell", read: "Read", write: "Write", fetch: "WebFetch" }[kind]) return false
    if (content === "*" || content === "**") return true
    if (kind === "command") return cursorCommand(content!, subject)
    if (kind === "fetch") return star(content!).test(new URL(subject).hostname)
    return cursorPath(content!, subject)
  }
  if (deny.some(hit)) return "deny"
  if (allow.some(hit)) return "allow"
  return kind === "command" && terminalAllowlist.some((text) => cursorCommand(text, subject)) ? "allow" : "ask"
}

function cursorCommand(text: string, subject: string): boolean {
  const [command, args = "*"] = text.split(":")
  const words = command!.split(" ")
  if (command === "" || words.some((word, index) => !star(word).test(subject.split(" ")[index] ?? ""))) return false
  return star(args).test(subject.split(" ").slice(words.length).join(" "))
}

function cursorPath(pattern: string, path: string): boolean {
  const place = pattern.startsWith("/") ? pattern.replace("/home/me/app/", "") : pattern
  const source = place
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("**/", "\0")
    .replaceAll("**", "\u0001")
    .replaceAll("*", "[^/]*")
    .replaceAll("\0", "(?:.*/)?")
    .replaceAll("\u0001", ".*")
  return new RegExp(`^${source}$`).test(path)
}

test("claw: whatever the import allows, its own rules allow", () => {
  const rule = fc.constantFrom(
    ...[
      "bash",
      "bash(git:*)",
      "bash(git status)",
      "bash(git push:*)",
      "bash(npm run test:*)",
      "Bash(rm:*)",
      "bash($(x):*)",
    ],
    ...[
      "read_file",
      "read_file(src/:*)",
      "read_file(src/a.ts)",
      "write_file(src/a:*)",
      "write_file",
      "edit_file",
      "WebFetch(https://example.org/:*)",
    ],
  )
  const permission = fc.record({
    allow: fc.array(rule, { maxLength: 4 }),
    deny: fc.array(rule, { maxLength: 2 }),
    ask: fc.array(rule, { maxLength: 2 }),
  })
  fc.assert(
    fc.property(permission, (permissions) => {
      const names = { command: "bash", read: "read_file", write: "write_file", fetch: "webfetch" }
      neverWider(strictFirst(readClaw(json({ permissions }), place)), ([kind, subject]) => {
        const hit = (text: string) => {
          const [, tool, content] = /^(\w+)(?:\((.*)\))?$/.exec(text)!
          if (tool!.toLowerCase() !== names[kind]) return false
          if (content === undefined) return true
          return content.endsWith(":*") ? subject.startsWith(content.slice(0, -2)) : subject === content
        }
        return (["deny", "ask", "allow"] as const).find((each) => permissions[each].some(hit)) ?? "ask"
      })
    }),
    { numRuns: 300 },
  )
})

test("two programs together: neither is an exception from what the other refuses", () => {
  fc.assert(
    fc.property(lists, opencodePermission, (permissions, permission) => {
      const claude = strictFirst(readClaude(json({ permissions }), place))
      const opencode = arrange(readOpencode(json({ permission }), place), { exceptions: true })
      const rows = withoutExceptions([claude, opencode], [], variables)
      const judged = judgeOf(rulesOf(rows))
      for (const call of calls) {
        const ours = judged(partsOf(call))
        const [one, other] = [claudeVerdict(permissions, call), opencodeVerdict(permission, call)]
        if (one === "deny" || other === "deny") expect([call, ours]).toEqual([call, "deny"])
        if (ours === "allow") expect([one, other]).toContain("allow")
      }
    }),
    { numRuns: 300 },
  )
})

test("a rule of the configuration stands: nothing imported is an exception from it", () => {
  const rows = strictFirst(readClaude(json({ permissions: { allow: ["Bash(git push origin:*)", "Bash(ls)"] } }), place))
  const existing = [
    { permission: "shell.run", pattern: "git push *", action: "deny", source: { scope: "user" } },
  ] as const
  expect(withoutExceptions([rows], existing, variables).map(({ result }) => result)).toEqual(["dropped", "exact"])
})

test.each([
  [{ terminalAllowlist: ["cargo build"] }, ["exact", "allow shell.run(cargo build *)"]],
  [{ terminalAllowlist: ["npm:install"] }, ["dropped"]],
  [{ terminalAllowlist: ["*"] }, ["dropped"]],
  [{ mcpAllowlist: ["github:get_issue"] }, ["exact", "allow mcp__github__get_issue()"]],
  [{ mcpAllowlist: ["github:*"] }, ["dropped"]],
  [{ autoRun: { allow_instructions: ["anything"] } }, ["dropped"]],
  [{ permissions: { deny: ["Shell(git:push*)"] } }, ["narrowed", "deny shell.run(git *)"]],
  [{ permissions: { allow: ["Shell(*)"] } }, ["dropped"]],
  [{ permissions: { deny: ["Shell(*)"] } }, ["narrowed", "deny shell.run()"]],
  [{ permissions: { allow: ["Read(**)"] } }, ["narrowed", "allow read({workspace}/**)"]],
  [{ permissions: { deny: ["Read(**)"] } }, ["narrowed", "deny fs.read()"]],
  [{ permissions: { allow: ["Read(*)"] } }, ["dropped"]],
  [{ permissions: { deny: ["Read(.env*)"] } }, ["narrowed", "deny fs.read(**/.env*)", "deny fs.read(**/.env*/**)"]],
  [
    { permissions: { allow: ["Write(src/**)"] } },
    ["exact", "allow write(src/**)", "allow edit(src/**)", "allow notebook_edit(src/**)"],
  ],
])("Cursor: a row for %j", (settings, expected) => {
  const [row] = strictFirst(readCursor(json(settings), place))
  const rules = row!.rules.map((rule) => `${rule.action} ${rule.permission}(${rule.pattern ?? ""})`)
  expect([row!.result, ...rules]).toEqual(expected)
})

test.each([
  ['{\n "terminalAllowlist": ["git",\n 7] }', 3, /must be a text/],
  ['{\n "mcpAllowlist": "github:*" }', 2, /must be a list/],
  ['{ "permissions":\n [] }', 2, /must be an object/],
  ['{ "terminalAllowlist": [],\n "terminalAllowlist": ["rm"] }', 2, /appears twice/],
])("Cursor: what cannot be read is named with its line: %j", (text, line, reason) => {
  expect(() => readCursor(new ForeignJson(text), place)).toThrow(reason)
  expect(() => readCursor(new ForeignJson(text), place)).toThrow(expect.objectContaining({ line }))
})

describe("what a row says", () => {
  const result = (text: string, list = "allow") => {
    const [row] = strictFirst(readClaude(json({ permissions: { [list]: [text] } }), place))
    return [
      row!.result,
      ...row!.rules.map(({ action: what, permission, pattern }) => `${what} ${permission}(${pattern ?? ""})`),
    ]
  }
  test.each([
    ["Bash(npm run test:*)", "allow", ["exact", "allow shell.run(npm run test *)"]],
    ["Bash(git * main)", "allow", ["dropped"]],
    ["Bash(git * main)", "deny", ["narrowed", "deny shell.run(git * *)"]],
    ["Read(.env)", "deny", ["narrowed", "deny fs.read(**/.env)", "deny fs.read(**/.env/**)"]],
    ["Read(src/**)", "allow", ["exact", "allow read(src/**)"]],
    ["Edit(src/**)", "deny", ["exact", "deny fs.write(src/**)", "deny fs.delete(src/**)"]],
    ["mcp__github__get_issue", "allow", ["exact", "allow mcp__github__get_issue()"]],
    ["mcp__github", "allow", ["dropped"]],
    ["NoSuchTool", "allow", ["dropped"]],
  ])("%s in %s", (text, list, expected) => {
    expect(result(text, list)).toEqual(expected)
  })
})
