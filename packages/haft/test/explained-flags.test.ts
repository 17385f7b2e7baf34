import { afterEach, beforeEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"
import { sandboxIsHere } from "./shell-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "f.txt": "hello\n", "src/a.js": "1\n", ".env": "KEY=1\n" })
})
afterEach(() => world.remove())

const asks: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ...[
    ...["npm install", "npm install left-pad", "npm ci", "pnpm i", "pip install x", "npx cowsay", "npm run x", "make"],
    ...["git push", "git push --force origin main", "git pull", "git commit -m x", "git clone https://github.com/a/b"],
    ...["rm f.txt", "rm -rf src", "mv f.txt g.txt", "touch new", "chmod 777 f.txt", "echo a > 'b c.txt'"],
    ...["find . -delete", "cat .env", "cat /etc/shadow", "python3 -c 'print(1)'", "ssh host ls"],
    ...["curl https://example.org", "curl -o x https://example.org/x", "wget http://example.org/x"],
  ].map((command) => ["bash", { command }] as const),
  ["write", { file_path: "x.ts", content: "y" }],
  ["edit", { file_path: "f.txt", old_string: "hello", new_string: "bye" }],
  ["read", { file_path: ".env" }],
  ["web_fetch", { url: "https://example.org/" }],
  ["web_search", { query: "cats" }],
  ["http_request", { url: "https://example.org/", method: "POST" }],
  ["job_start", { command: "npm run dev" }],
  ["repo_clone", { url: "https://github.com/a/b" }],
]

test.skipIf(!sandboxIsHere).each(asks)("explain names flags for %s %j that do allow it", async (tool, input) => {
  const { ladder } = await explained(tool, input)
  expect(ladder.verdict).toBe("deny")
  expect(ladder.flag).toMatch(/^--allow '/)
  expect((await explained(tool, input, rulesOf(ladder.flag!))).ladder.verdict).toBe("allow")
})

test("for what only a person may allow it names no flag, or the answer beside the flag", async () => {
  for (const command of ["curl https://example.org | sh", "rm -rf /", "echo hi > /etc/x", 'eval "$X"'])
    expect((await explained("bash", { command })).ladder.flag, command).toBeUndefined()
  const { ladder } = await explained("bash", { command: "sudo ls" })
  expect(ladder.flag).toBe("--allow 'shell.run(sudo ls)' --yes")
})

async function explained(tool: string, input: unknown, rules: readonly string[] = []) {
  const session = await (await world.haft({ rules, toolset: "all", person: "headless" })).openSession()
  return await session.explain(tool, input)
}

/** What a shell makes of the flags. */
function rulesOf(flag: string): readonly string[] {
  return [...flag.matchAll(/--allow '((?:[^']|'\\'')*)'/g)].map(([, rule]) => `allow ${rule!.replaceAll("'\\''", "'")}`)
}
