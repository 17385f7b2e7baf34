import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import type { AskRequest, Envelope } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"
import { type Workbench, workbench } from "./workbench.js"

/** Writes these files; the workbench makes the folders. */
function fill(bench: Workbench, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) bench.write(name, text)
}

describe("from the command line", () => {
  let bench: Workbench
  let userHome: string
  const realHome = process.env.HOME

  beforeEach(() => {
    bench = workbench()
    userHome = bench.env.HOME!
    process.env.HOME = userHome
    // The home is beside the workspace, as on most machines.
    fill(bench, { "../user/notes.md": "at home\n", "src/a.ts": "source\n", "My File.txt": "blank\n" })
  })

  afterEach(() => {
    process.env.HOME = realHome
    bench.remove()
  })

  const call = async (...words: string[]) => {
    const { stdout, stderr, code } = await bench.run(["call", ...words, "--json"])
    const envelope = (stdout === "" ? {} : JSON.parse(stdout)) as Envelope
    return { envelope, code, stderr, metadata: envelope.metadata }
  }
  // Words on the command line that begin with @ name a file with the value; models send arguments as they are.
  const argumentsOf = (input: object) => `--args=${JSON.stringify(input)}`
  const contentOf = async (path: string, ...more: string[]) => {
    const { envelope } = await call("read", argumentsOf({ file_path: path }), ...more)
    return envelope.type === "output" ? (envelope.data as { content: string }).content : envelope.metadata.error_code
  }

  test("~ is the home: out of reach by default, and named as what it is", async () => {
    const { metadata, envelope } = await call("read", "file_path=~/notes.md")
    expect(metadata.error_code).toBe("denied")
    expect(envelope.type === "error" && envelope.error_text).toContain(`"~/notes.md" (${userHome}/notes.md)`)
    const written = await call("write", "file_path=~/x", "content=1", "--yes")
    expect(written.metadata.error_code).toBe("denied")
    expect(existsSync(`${bench.work}/~`)).toBe(false)
    expect(existsSync(`${userHome}/x`)).toBe(false)
  })

  test("with the home as a root every file tool works there", async () => {
    const root = ["--root", ".", "--root", userHome, "--yes"]
    expect(await contentOf("~/notes.md", ...root)).toBe("at home\n")
    expect(await contentOf("$HOME/notes.md", ...root)).toBe("at home\n")
    await call("write", "file_path=~/sub/x", "content=1\n", ...root)
    await call("edit", "file_path=~/sub/x", "old_string=1", "new_string=2", ...root)
    expect(readFileSync(`${userHome}/sub/x`, "utf8")).toBe("2\n")
    const code = ["--toolset", "locked,code", ...root]
    await call("patch", argumentsOf({ file_path: "~/sub/x", diff: "@@ -1 +1 @@\n-2\n+3\n" }), ...code)
    await call("apply_patch", "patch=*** Begin Patch\n*** Add File: ~/sub/y\n+new\n*** End Patch", ...code)
    await call("move", '--args={"moves":[{"from":"~/sub/x","to":"~/sub/z"}]}', ...code)
    expect(readFileSync(`${userHome}/sub/z`, "utf8")).toBe("3\n")
    const found = async (...words: string[]) => JSON.stringify((await call(...words, ...code)).envelope)
    expect(await found("ls", "path=~/sub")).toMatch(/"name":"y".*"name":"z"/)
    expect(await found("glob", "pattern=*", "path=~/sub")).toContain(`${userHome}/sub/y`)
    expect(await found("grep", "pattern=new", "path=~/sub")).toContain(`${userHome}/sub/y`)
    expect(existsSync(`${bench.work}/~`)).toBe(false)
  })

  test("haft explain shows what is meant", async () => {
    const { stdout } = await bench.run([
      "explain",
      "write",
      "file_path=~/x",
      "content=1",
      "--root",
      ".",
      "--root",
      userHome,
    ])
    expect(stdout).toContain(`~/x -> ${userHome}/x`)
    const mention = await bench.run(["explain", "read", argumentsOf({ file_path: "@src/a.ts" })])
    expect(mention.stdout).toContain(`@src/a.ts -> ${bench.work}/src/a.ts`)
  })

  // biome-ignore format: one line for each
  test.each([
    ["@src/a.ts", "source\n"],
    ["'src/a.ts'", "source\n"],
    ['"src/a.ts"', "source\n"],
    ["`src/a.ts`", "source\n"],
    [" src/a.ts\n", "source\n"],
    ["@./src/a.ts", "source\n"],
    ["src\\a.ts", "source\n"],
    [".\\src\\a.ts", "source\n"],
    ["My\\ File.txt", "blank\n"],
    ["@nothing.ts", "not_found"],
    ["@@src/a.ts", "not_found"],
    ["'\"src/a.ts\"'", "source\n"],
    ["C:\\x", "invalid_args"],
    ["c:/Users/me/x", "invalid_args"],
    ["\\\\server\\share", "invalid_args"],
    ["file://server/x", "invalid_args"],
    ["file:///C:/x", "invalid_args"],
    ["file:///a%2Fb", "invalid_args"],
    ["file:///100%.txt", "invalid_args"],
    ["@../user/notes.md", "denied"],
    ["@~/notes.md", "denied"],
    ["@/no/such/file", "denied"],
    ["..\\user\\notes.md", "denied"],
  ])("read %j: %j", async (path, expected) => {
    expect(await contentOf(path)).toBe(expected)
  })

  test("long runs of odd characters are refused without many looks", async () => {
    for (const sign of ["@", '"', "\\", "~", "@'", "$"]) {
      for (const length of [4000, 100_000]) {
        expect(await contentOf(sign.repeat(length))).toMatch(/^(?:not_found|unsupported|invalid_args)$/)
      }
    }
  })

  test("a file URL is a path: its percent signs are decoded, and localhost is this machine", async () => {
    fill(bench, { "größe 1.txt": "size\n" })
    const url = `${bench.work}/gr%C3%B6%C3%9Fe%201.txt`
    for (const start of ["file://", "file://localhost", "FILE://", "file:"]) {
      expect(await contentOf(start + url)).toBe("size\n")
    }
    expect(await contentOf(`file://${bench.work}/src/a.ts#L10`)).toBe("source\n")
    expect(await contentOf("file:///etc/hostname")).toBe("denied")
  })

  test("what exists as it is written wins, and new files are made in such folders", async () => {
    fill(bench, {
      "@types/a.d.ts": "types\n",
      "types/a.d.ts": "other\n",
      "~/notes.md": "in a folder called ~\n",
      '"q"': "quoted\n",
      q: "bare\n",
      "end ": "blank\n",
      end: "none\n",
      "C:/x": "a folder\n",
      "file:/x": "no url\n",
      "src\\a.ts": "one name\n",
      "$HOME/x": "a folder too\n",
    })
    expect(await contentOf("@types/a.d.ts")).toBe("types\n")
    expect(await contentOf("~/notes.md")).toBe("in a folder called ~\n")
    expect(await contentOf('"q"')).toBe("quoted\n")
    expect(await contentOf("end ")).toBe("blank\n")
    expect(await contentOf("C:/x")).toBe("a folder\n")
    expect(await contentOf("file:/x")).toBe("no url\n")
    expect(await contentOf("src\\a.ts")).toBe("one name\n")
    expect(await contentOf("$HOME/x")).toBe("a folder too\n")
    for (const path of ["@types/new.d.ts", "~/new.md", "C:/new"]) {
      await call("write", argumentsOf({ file_path: path, content: "n" }), "--yes")
      expect(bench.read(path)).toBe("n")
    }
    expect(existsSync(`${bench.work}/types/new.d.ts`)).toBe(false)
    expect(existsSync(`${userHome}/new.md`)).toBe(false)
  })

  test("a new name that begins with @ stays; quotes and blanks around a new name do not", async () => {
    await call("write", argumentsOf({ file_path: "@scope/index.ts", content: "n" }), "--yes")
    expect(bench.read("@scope/index.ts")).toBe("n")
    const { metadata } = await call("write", 'file_path="src/new.ts" ', "content=n", "--yes")
    expect(bench.read("src/new.ts")).toBe("n")
    expect(metadata.notes).toEqual(['the path ""src/new.ts" " was taken as "src/new.ts"'])
    await call("write", "file_path=src\\win.ts", "content=n", "--yes")
    expect(bench.read("src/win.ts")).toBe("n")
  })

  test("paths in commands mean what they say", async () => {
    fill(bench, { end: "none\n" })
    const { envelope } = await call("bash", "command=printf x > 'end '; printf y > 'src\\a.ts'", "--yes")
    expect(envelope.type).toBe("output")
    expect([bench.read("end "), bench.read("end"), bench.read("src\\a.ts"), bench.read("src/a.ts")]).toEqual([
      ...["x", "none\n", "y", "source\n"],
    ])
  })
})

describe("between the question and the answer", () => {
  let world: LibraryWorld

  beforeEach(async () => {
    world = await libraryWorld({ "a.txt": "a\n", "b.txt": "b\n", "src/a.ts": "source\n" })
  })

  afterEach(() => world.remove())

  /** Opens a session whose person says yes after something happened. */
  async function approving(meanwhile: () => void) {
    const asked: AskRequest[] = []
    const person = {
      ask: async (request: AskRequest) => {
        asked.push(request)
        meanwhile()
        return { answer: "once" } as const
      },
      question: async () => undefined as never,
    }
    const session = await (await world.haft({ person: person as never })).openSession()
    return { session, asked }
  }

  test("the prompt shows the path that is meant, and that one is opened", async () => {
    const { session, asked } = await approving(() => {})
    await session.call("write", { file_path: "@src/a.ts", content: "x\n" })
    expect(JSON.stringify(asked[0]!.ladder.findings)).toContain(`@src/a.ts -> ${world.path("src/a.ts")}`)
    expect(readFileSync(world.path("src/a.ts"), "utf8")).toBe("x\n")
  })

  test("a name that appears meanwhile does not give the path another meaning", async () => {
    const { session } = await approving(() => mkdirSync(world.path("@src")))
    const envelope = await session.call("write", { file_path: "@src/a.ts", content: "x\n" })
    expect(envelope.metadata.error_code).toBe("conflict")
    expect(envelope.type === "error" && envelope.error_text).toContain("leads elsewhere than when the question was put")
    expect(readFileSync(world.path("src/a.ts"), "utf8")).toBe("source\n")
    expect(existsSync(world.path("@src/a.ts"))).toBe(false)
  })

  test("a name that appears after the verdict does not, either", async () => {
    const detector = {
      id: "meddler",
      about: "makes a folder after the path was judged",
      inspect: () => {
        mkdirSync(world.path("@src"), { recursive: true })
        return { verdict: "allow" } as const
      },
    }
    const rules = [{ permission: "fs.write", pattern: "{workspace}/**", action: "allow" }] as const
    const session = await (await world.haft({ guard: { detectors: [detector] }, rules })).openSession()
    expect((await session.call("write", { file_path: "@src/a.ts", content: "x\n" })).type).toBe("output")
    expect(readFileSync(world.path("src/a.ts"), "utf8")).toBe("x\n")
    expect(existsSync(world.path("@src/a.ts"))).toBe(false)
  })

  test("a link that is swapped meanwhile does not lead the answer to another file", async () => {
    symlinkSync("a.txt", world.path("link"))
    const { session } = await approving(() => {
      rmSync(world.path("link"))
      symlinkSync("b.txt", world.path("link"))
    })
    const envelope = await session.call("write", { file_path: "link", content: "x\n" })
    expect(envelope.metadata.error_code).toBe("conflict")
    expect(readFileSync(world.path("b.txt"), "utf8")).toBe("b\n")
  })
})
