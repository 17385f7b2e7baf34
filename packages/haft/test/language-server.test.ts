import { spawn } from "node:child_process"
import { constants, readdirSync, readFileSync } from "node:fs"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { folderIdentity } from "../src/trust/folder-identity.js"
import { saveTrust } from "../src/trust/trust-store.js"
import { sandboxIsHere } from "./shell-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url))
const packages = ["typescript", `@typescript/typescript-${process.platform}-${process.arch}`]

// The language server of TypeScript 7, in the sandbox, asked by the command as a person types it.
describe.skipIf(!sandboxIsHere)("haft call lsp", () => {
  let command: SourceCommand
  let bench: Workbench
  beforeAll(async () => {
    command = await sourceCommand()
  })
  afterAll(() => command.remove())
  beforeEach(async () => {
    bench = workbench()
    bench.write("tsconfig.json", '{"compilerOptions":{"strict":true,"module":"nodenext","types":[]},"include":["src"]}')
    bench.write("src/math.ts", "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n")
    bench.write("src/main.ts", 'import { add } from "./math.js"\n\nexport const total: string = add(1, 2)\n')
    const mode = constants.COPYFILE_FICLONE
    for (const name of packages) {
      await cp(join(modules, name), join(bench.work, "node_modules", name), { recursive: true, mode })
    }
  })
  afterEach(() => bench.remove())

  /** What `haft trust` keeps when the person at the terminal says yes. */
  const trust = () => saveTrust(bench.config, { ...folderIdentity(bench.work), entries: [], at: Date.now() })

  async function haft(...words: readonly string[]) {
    const child = spawn(process.execPath, [command.program, ...words], {
      cwd: bench.work,
      env: { PATH: process.env.PATH, ...bench.env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await closed, stdout, stderr }
  }

  async function asked(...words: readonly string[]) {
    const { stdout, stderr } = await haft("call", "lsp", "--json", ...words)
    expect(stderr).toBe("")
    return JSON.parse(stdout)
  }

  test("problems, definition, references, hover and symbols come from the server of the project", async () => {
    trust()
    const problems = await asked("action=diagnostics", "file_path=src/main.ts")
    expect(problems).toMatchObject({
      type: "output",
      data: {
        fresh: true,
        server: expect.stringMatching(/^typescript-go 7[.\d]+$/),
        items: [{ path: "src/main.ts", line: 3, character: 14, severity: "error", kind: "ts 2322" }],
      },
    })
    const definition = await asked("action=definition", "file_path=src/main.ts", "line=3", "query=add")
    expect(definition.data.items).toEqual([
      { path: "src/math.ts", line: 2, character: 17, text: "export function add(a: number, b: number): number {" },
    ])
    const references = await asked("action=references", "file_path=src/math.ts", "query=add")
    expect(references.data.items.map(({ path, line }: { path: string; line: number }) => [path, line])).toEqual([
      ["src/main.ts", 1],
      ["src/main.ts", 3],
      ["src/math.ts", 2],
    ])
    const hover = await asked("action=hover", "file_path=src/main.ts", "line=3", "query=add")
    expect(hover.data.text).toContain("function add(a: number, b: number): number")
    const symbols = await asked("action=symbols", "query=add")
    expect(symbols.data.items).toMatchObject([{ path: "src/math.ts", text: "add", kind: "function" }])
    // Each command has ended its server with itself.
    expect(serversOf(bench.work)).toEqual([])
  })

  test("a folder that nobody trusts starts no server, and the error says what to do", async () => {
    const { code, stderr } = await haft("call", "lsp", "action=diagnostics", "file_path=src/main.ts")
    expect(code).not.toBe(0)
    expect(stderr).toContain("this folder is not trusted")
    expect(stderr).toContain("haft trust")
  })

  test("a file that rules deny is hidden from the server: what it imports is not found", async () => {
    trust()
    const denied = await asked("action=diagnostics", "file_path=src/main.ts", "--deny", "fs.read(src/math.ts)")
    expect(JSON.stringify(denied)).not.toContain("number, b: number")
    expect(denied.data.items).toMatchObject([{ line: 1, severity: "error" }])
  })
})

/** The command lines of language servers that run in a folder. */
function serversOf(folder: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
        return line.includes("--lsp") && line.includes(folder) ? [line] : []
      } catch {
        return []
      }
    })
}
