import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { place } from "../../../test/commands/summary.js"
import { analyzeBash } from "../analyze-bash.js"
import { readScript } from "./read-script.js"
import { hidesScript, type Script, scriptOfCommand } from "./script-of.js"
import { scriptText } from "./script-text.js"

describe("the script of a line", () => {
  test.each([
    ["npm test", "npm", "test"],
    ["npm t", "npm", "test"],
    ["npm test -- --run x", "npm", "test"],
    ["npm run build", "npm", "build"],
    ["npm run -s build", "npm", "build"],
    ["npm run-script build -- -x", "npm", "build"],
    ["npm start", "npm", "start"],
    ["pnpm test", "npm", "test"],
    ["yarn build", "npm", "build"],
    ["yarn run x", "npm", "x"],
    ["make", "make", ""],
    ["make test", "make", "test"],
    ["make -j4 test", "make", "test"],
    ["make a b", "make", "a b"],
    ["timeout 9 npm test", "npm", "test"],
    ["npm test 2>&1 | tail", "npm", "test"],
    ["CI=1 npm test", "npm", "test"],
    ["yarn dev", "npm", "dev"],
    ["pnpm dev --host", "npm", "dev"],
    ["npm run build:all.x", "npm", "build:all.x"],
    ["bun run build", "npm", "build"],
    ["bun dev --port 1", "npm", "dev"],
    ["node --run build", "npm", "build"],
    ["bash x.sh", "file", "bash"],
    ["sh -eu ./x.sh a b", "file", "sh"],
    [". ./x.sh", "file", "."],
    ["source x.sh", "file", "source"],
    ["./x.sh --fast", "file", "x.sh"],
    ["tools/run", "file", "run"],
    ["python3 x.py -c a", "file", "python3"],
    ["python3 -u x.py", "file", "python3"],
    ["node --enable-source-maps x.js", "file", "node"],
    ["perl x.pl", "file", "perl"],
    ["deno run x.ts", "file", "deno"],
    ["go run x.go", "file", "go"],
    ["timeout 9 bash x.sh", "file", "bash"],
    ["bash -norc x.sh", "file", "bash"],
    ["bash -o pipefail x.sh", "file", "bash"],
    ["python3 -E x.py", "file", "python3"],
    ["python3 -W ignore x.py", "file", "python3"],
    ["perl -Mfeature x.pl", "file", "perl"],
    ["bun run src/a.ts", "file", "bun"],
    ["bun --watch a.ts", "file", "bun"],
    ["deno run -A x.ts", "file", "deno"],
    ["uv run x.py", "file", "uv"],
    ["poetry run python x.py", "file", "poetry"],
    ["npx tsx x.ts", "file", "npx"],
    ["awk -f x.awk a", "file", "awk"],
    ["sed -nf x.sed a", "file", "sed"],
  ])("%j runs %s %s", (line, kind, name) => {
    expect(analyzeBash(line, place).script).toMatchObject({ kind, name })
  })

  test.each([
    "npm install",
    "yarn install",
    "pnpm add x",
    "npm run",
    "npm --prefix x test",
    "npm test -w x",
    "npm run --workspaces test",
    "make -f other test",
    "make CC=evil test",
    "cargo test",
    "npm run $x",
    "git status",
    "cd $x && npm test",
    "bash -c 'echo x'",
    "bash -s x",
    "bash < x.sh",
    "bash",
    "python3 -c 'print(1)' x.py",
    "python3 -m pytest x.py",
    "node -e 1 x.js",
    "perl -ne print x",
    "deno test x.ts",
    "go test ./...",
    "/usr/bin/env",
    "cd $x && bash x.sh",
  ])("%j runs none that is known", (line) => {
    expect(analyzeBash(line, place).script).toBeUndefined()
  })

  test("the file is the one of the folder that the command runs in", () => {
    expect(analyzeBash("cd pkg && npm test", place).script?.file).toBe("/w/pkg/package.json")
    expect(scriptOfCommand(["make"], "/x")).toEqual({ kind: "make", name: "", file: "/x/Makefile" })
    expect(scriptOfCommand(["just", "a"], "/x")).toBeUndefined()
  })
})

describe("hidesScript", () => {
  test.each([
    "npm test -w x",
    "npm --prefix x test",
    "npm run --workspaces lint",
    "make -f other test",
    "make CC=x a",
    "timeout 9 make -C x a",
    "pnpm -r test",
    "npm test -ws",
    "npm test --prefi other",
    "npm test --no-workspaces=false",
    "npm test --script-sh /bin/echo",
    "npm --loglevel silly test",
    "npm tes",
    "npm rum test",
    "npm urn test",
    "npm run-scrip test",
    "npm it",
    "npm pack",
    "pnpm --filter x build",
    "pnpm run --filt x build",
    "yarn workspace x build",
    "yarn workspaces foreach -A run build",
    "bun --filter x build",
    "deno task build",
    "composer run-script build",
    "composer build",
  ])("%j: which text it runs is not known", (line) => {
    expect(hidesScript(line.split(" "))).toBe(true)
  })

  test.each([
    "npm test",
    "make a",
    "npm install",
    "cargo test",
    "git status",
    "yarn add x",
    "bun install",
    "bun test",
    "bun a.ts",
    "deno test",
    "composer install",
    "node a.js",
    "A=1",
    "A=1 timeout 9 npm test",
  ])("%j hides nothing", (line) => {
    expect(hidesScript(line.split(" "))).toBe(false)
  })

  test("what is set before a command and wrappers do not change its text", () => {
    const plain = scriptOfCommand(["npm", "test"], "/x")
    expect(scriptOfCommand(["A=1", "timeout", "9", "npm", "test"], "/x")).toEqual(plain)
  })
})

describe("scriptText", () => {
  const npm = (name: string, file: unknown) =>
    scriptText({ kind: "npm", name, file: "" }, typeof file === "string" ? file : JSON.stringify(file))
  const make = (name: string, text: string) => scriptText({ kind: "make", name, file: "" }, text)

  test("a package script, with those before and after it", () => {
    expect(npm("test", { scripts: { test: "vitest run" } })).toBe("vitest run")
    expect(npm("x", { scripts: { prex: "a", x: "b", postx: "c", other: "d" } })).toBe("prex: a\nx: b\npostx: c")
    expect(npm("test", '\ufeff{"scripts":{"test":"a"}}')).toBe("a")
  })

  test("scripts that a script names, and those around them", () => {
    const scripts = {
      all: "npm run lint && run-s 'build:*'",
      lint: "eslint",
      prelint: "x",
      "build:a": "tsc",
      other: "y",
    }
    expect(npm("all", { scripts })).toBe("all: npm run lint && run-s 'build:*'\nprelint: x\nlint: eslint\nbuild:a: tsc")
    expect(npm("a", { scripts: { a: "npm run b", b: "npm run a" } })).toBe("a: npm run b\nb: npm run a")
  })

  test("no script, no text", () => {
    for (const file of [{}, { scripts: {} }, { scripts: { test: 1 } }, "not json", "null", "[]", { scripts: null }]) {
      expect(npm("test", file)).toBeUndefined()
    }
    expect(npm("constructor", { scripts: {} })).toBeUndefined()
  })

  const makefile = `CC := gcc\n# note\ninclude x.mk\nall: a b\n\t@echo all\na: ; echo a\nb: c | d\n\techo b\nc:\n\techo c\nother:\n\techo other\n%.o: %.c\n\t$(CC) $<\n`

  test("a target with what it needs and all that is set, without other targets", () => {
    const text = make("b", makefile)!
    for (const line of ["CC := gcc", "include x.mk", "echo b", "echo c", "$(CC) $<"]) expect(text).toContain(line)
    for (const line of ["echo all", "echo other", "note"]) expect(text).not.toContain(line)
    expect(make("nope", makefile)).toBeUndefined()
    expect(make("b nope", makefile)).toBeUndefined()
    expect(make("b other", makefile)).toContain("echo other")
  })

  test("without a name the first target counts", () => {
    expect(make("", makefile)).toContain("echo all")
    expect(make("", "X = 1\n.PHONY: a\n")).toBeUndefined()
  })

  test("any text gives a text or none", () => {
    fc.assert(
      fc.property(fc.constantFrom("npm", "make"), fc.string(), fc.string(), (kind, name, text) => {
        scriptText({ kind, name, file: "" }, text)
      }),
    )
  })
})

describe("readScript", () => {
  const places = (files: Readonly<Record<string, string>>) => ({ peek: (path: string) => files[path], roots: ["/w"] })
  const textOf = (script: Script, files: Readonly<Record<string, string>>) => readScript(script, places(files))?.text
  const scripts = (test: string) => JSON.stringify({ scripts: { test } })

  test("npm takes the nearest package.json, up to the root and no further", () => {
    const script = scriptOfCommand(["npm", "test"], "/w/a/b")!
    expect(textOf(script, { "/w/package.json": scripts("top") })).toBe("top")
    expect(textOf(script, { "/w/package.json": scripts("top"), "/w/a/package.json": scripts("a") })).toBe("a")
    expect(textOf(script, { "/w/a/package.json": "{}", "/w/package.json": scripts("top") })).toBeUndefined()
    expect(textOf(script, { "/package.json": scripts("outside") })).toBeUndefined()
    const outside = scriptOfCommand(["npm", "test"], "/x/y")!
    expect(textOf(outside, { "/x/package.json": scripts("x") })).toBeUndefined()
  })

  test("make takes the name that it looks for first, and does not look in the folders above", () => {
    const make = scriptOfCommand(["make", "a"], "/w/s")!
    const files = { "/w/s/Makefile": "a:\n\tone\n", "/w/s/makefile": "a:\n\ttwo\n" }
    expect(textOf(make, files)).toContain("two")
    expect(textOf(make, { ...files, "/w/s/GNUmakefile": "a:\n\tthree\n" })).toContain("three")
    expect(textOf(make, { "/w/Makefile": "a:\n\tabove\n" })).toBeUndefined()
  })

  const make = scriptOfCommand(["make", "test"], "/w")!

  test.each([
    ["a name behind a line end", "test: \\\n\tlint\nlint:\n\tCHANGES\n"],
    ["a target behind a line end", "test \\\n : lint\nlint:\n\tCHANGES\n"],
    ["a rule behind blanks, in another target", "test:\n\ta\nother:\n\tb\n  test: late\nlate:\n\tCHANGES\n"],
    ["a variable behind blanks, in another target", "test:\n\t$(X)\nother:\n\tb\n  X = CHANGES\n"],
    ["a rule in a definition", "define X\nrule: a\n\tCHANGES\nendef\ntest:\n\t$(X)\n"],
    ["a variable that names a target", "NEEDS = lint\ntest: $(NEEDS)\nlint:\n\tCHANGES\n"],
    ["a make in a recipe", "test:\n\t@$(MAKE) lint\nlint:\n\tCHANGES\n"],
    ["a make in a recipe with a variable", "X = lint\ntest:\n\t$(MAKE) $(X)-a\nlint-a:\n\tCHANGES\n"],
    ["a name made of a variable", "X = a\ntest: lint-$(X)\nlint-a:\n\tCHANGES\n"],
    ["a name made by a function", "test: $(addprefix lint-,a b)\nlint-a:\n\tCHANGES\n"],
    ["targets of one recipe", "test other &: lint\n\ta\nlint:\n\tCHANGES\n"],
    ["another mark of recipes", ".RECIPEPREFIX = >\ntest:\n>make lint\nlint:\n>CHANGES\n"],
    ["a variable of the target", "test: X = CHANGES\ntest:\n\t$(X)\n"],
  ])("what make runs is in the text: %s", (_name, text) => {
    expect(textOf(make, { "/w/Makefile": text })).toContain("CHANGES")
  })

  test("files that are taken in are in the text, from where each program looks for them", () => {
    const files = {
      "/w/Makefile": "include make/a.mk \\\n  make/b.mk # note\n-include none.mk\n",
      "/w/make/a.mk": "test: lint\n\ta\ninclude make/c.mk\n",
      "/w/make/c.mk": "lint:\n\tCHANGES\ninclude make/a.mk\n",
    }
    for (const script of [make]) {
      expect(readScript(script, places(files))).toMatchObject({
        complete: true,
        text: expect.stringContaining("CHANGES"),
      })
    }
  })

  test.each(["test:\n\ta\n-include $(FILES)\n", "test:\n\ta\n include *.mk\n", "test:\n\ta\nsinclude a.mk ~/b.mk\n"])(
    "files whose names are made when it runs leave it open: %j",
    (text) => {
      expect(readScript(make, places({ "/w/Makefile": text }))).toMatchObject({ complete: false })
    },
  )

  test("a file of any form is read in a time that grows with its length", () => {
    const hostile = [
      "a \\\n",
      "a: ",
      ": ",
      " ",
      "a=",
      "$(MAKE) ",
      "define x\n",
      "include a\n",
      "\\",
      "a:\n",
      "a b: c$(d)\n",
    ]
    const texts = [
      ...hostile.map((piece) => (length: number) => `test:\n\ta\n${piece.repeat(length / piece.length)}`),
      (length: number) =>
        `test: t0\n${Array.from({ length: length / 12 }, (_, at) => `t${at}: t${at + 1}`).join("\n")}`,
      (length: number) => `test:\nimport ${" ".repeat(length)}a`,
      (length: number) => `test:\ninclude${" ".repeat(length)}#`,
      (length: number) => `test:\n${"a".repeat(length)}`,
    ]
    for (const text of texts) {
      for (const script of [make]) {
        const read = (length: number) => cpuOf(() => readScript(script, places({ [script.file]: text(length) })))
        // Four times the length is four times the work; its square would be sixteen times.
        const [short, long] = [read(20_000), read(80_000)]
        expect(long < 30 || long < 10 * short, `${JSON.stringify(text(20))}: ${short} ms, then ${long} ms`).toBe(true)
      }
    }
  })

  /** Time of the processor, the least of three: other programs of the machine do not count. */
  function cpuOf(work: () => unknown): number {
    const times = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    return Math.min(...times)
  }
})

describe("what a script runs besides", () => {
  const textOf = (script: Script, files: Readonly<Record<string, string>>) =>
    readScript(script, { peek: (path) => files[path], roots: ["/w"] })?.text
  const file: Script = { kind: "file", name: "bash", file: "/w/x.sh", from: "/w" }
  const make: Script = { kind: "make", name: "test", file: "/w/Makefile" }
  const npm: Script = { kind: "npm", name: "test", file: "/w/sub/package.json" }
  const script = (text: string) => JSON.stringify({ scripts: { test: text } })

  test("the text of a file alone is what is shown, as it was before", () => {
    expect(textOf(file, { "/w/x.sh": "echo one\n" })).toBe("echo one\n")
    expect(textOf(npm, { "/w/sub/package.json": script("vitest run") })).toBe("vitest run")
    expect(textOf(file, {})).toBeUndefined()
  })

  test.each([
    [
      "a script behind a package script",
      npm,
      { "/w/sub/package.json": script("sh run.sh"), "/w/sub/run.sh": "CHANGES" },
    ],
    [
      "a program of the project",
      npm,
      { "/w/sub/package.json": script("CI=1 ./bin/run -x"), "/w/sub/bin/run": "CHANGES" },
    ],
    ["a file of an interpreter", npm, { "/w/sub/package.json": script("node a.js && true"), "/w/sub/a.js": "CHANGES" }],
    ["a script in a script", file, { "/w/x.sh": "cd sub && bash y.sh\n", "/w/sub/y.sh": "CHANGES" }],
    [
      "a file that is taken in",
      file,
      { "/w/x.sh": ". lib/a.sh\n", "/w/lib/a.sh": "source lib/b.sh\n", "/w/lib/b.sh": "CHANGES" },
    ],
    ["a target of make", file, { "/w/x.sh": "make all\n", "/w/Makefile": "all:\n\tCHANGES\n" }],
    ["a script of a target", make, { "/w/Makefile": "test:\n\t@sh t.sh\n", "/w/t.sh": "CHANGES" }],
  ] as const)("%s belongs to it", (_name, script, files) => {
    expect(textOf(script, files)).toContain("CHANGES")
  })

  test("what options load belongs to it, and values of options do not hide it", () => {
    const run = (line: string, files: Readonly<Record<string, string>>) =>
      textOf(analyzeBash(line, { ...place, directory: "/w" }).script!, files)
    expect(run("node -r ./h.js x.js", { "/w/h.js": "HOOK", "/w/x.js": "SCRIPT" })).toBe("h.js:\nHOOK\nx.js:\nSCRIPT")
    expect(run("node --require=./h.js x.js", { "/w/h.js": "HOOK", "/w/x.js": "SCRIPT" })).toContain("HOOK")
    expect(run("node -r dotenv/config x.js", { "/w/x.js": "SCRIPT" })).toBe("SCRIPT")
    expect(run("bash -o pipefail x.sh", { "/w/x.sh": "SCRIPT" })).toBe("SCRIPT")
    expect(run("deno run --allow-net x.ts arg", { "/w/x.ts": "SCRIPT" })).toBe("SCRIPT")
  })

  test("two targets of one file, a long script and the program of the first line belong to it", () => {
    const makefile = "a:\n\techo A\nb:\n\techo B\n"
    expect(textOf(file, { "/w/x.sh": "make a\nmake b\n", "/w/Makefile": makefile })).toMatch(/echo A.*echo B/s)
    const long = `${"# words\n".repeat(1000)}bash y.sh\n`
    expect(textOf(file, { "/w/x.sh": long, "/w/y.sh": "CHANGES" })).toContain("CHANGES")
    const own: Script = { kind: "file", name: "x", file: "/w/x", from: "/w" }
    expect(textOf(own, { "/w/x": "#!./tool -x\nwords\n", "/w/tool": "CHANGES" })).toContain("CHANGES")
  })

  test("what is there and cannot be read is never taken for missing", () => {
    const sourceOf = (script: Script, files: Readonly<Record<string, string | null>>) =>
      readScript(script, { peek: (path) => files[path], roots: ["/w"] })
    const makefile = "-include more.mk\ntest:\n\techo one\n"
    expect(sourceOf(make, { "/w/Makefile": makefile })?.complete).toBe(true)
    expect(sourceOf(make, { "/w/Makefile": makefile, "/w/more.mk": null })?.complete).toBe(false)
    expect(sourceOf(make, { "/w/Makefile": makefile, "/w/GNUmakefile": null })).toBeUndefined()
    expect(sourceOf(npm, { "/w/package.json": script("a"), "/w/sub/package.json": null })).toBeUndefined()
    expect(sourceOf(npm, { "/w/sub/package.json": script("a"), "/w/.npmrc": null })?.complete).toBe(false)
    expect(sourceOf(file, { "/w/x.sh": "sh y.sh\n", "/w/y.sh": null })?.complete).toBe(false)
    expect(sourceOf(file, { "/w/x.sh": "sh y.sh\n" })).toMatchObject({
      complete: true,
      text: "sh y.sh\n\n(y.sh: there is none)",
    })
    for (const text of ["a\0b", "a\ufffdb"]) expect(sourceOf(file, { "/w/x.sh": text })).toBeUndefined()
  })

  test("texts that look the same have identities of their own", () => {
    const sourceWith = (files: Readonly<Record<string, string>>) =>
      readScript(file, { peek: (path) => files[path], roots: ["/w"] })!
    const one = sourceWith({ "/w/x.sh": "node a.js; sh c.sh", "/w/a.js": "1\nc.sh:\n2", "/w/c.sh": "3" })
    const other = sourceWith({ "/w/x.sh": "node a.js; sh c.sh", "/w/a.js": "1", "/w/c.sh": "2\nc.sh:\n3" })
    expect(one.text).toBe(other.text)
    expect(one.identity).not.toBe(other.identity)
    expect(sourceWith({ "/w/x.sh": "echo one" }).identity).toBe("echo one")
  })

  test("scripts that run one another end, and so do very many", () => {
    expect(textOf(file, { "/w/x.sh": "sh y.sh\n", "/w/y.sh": "sh x.sh; sh y.sh\n" })).toContain("y.sh:")
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`/w/s${at}.sh`, `sh s${at + 1}.sh\n${"x".repeat(30_000)}`]),
    )
    expect(textOf(file, { "/w/x.sh": "sh s0.sh\n", ...many })!.length).toBeLessThan(400_000)
  })

  test.each([
    [".npmrc", "script-shell=./evil", "script-shell=./evil"],
    [".npmrc", " script-shell = ./evil", "script-shell = ./evil"],
    [".npmrc", "node-options=--require ./evil.js", "node-options=--require ./evil.js"],
    [".yarnrc.yml", "yarnPath: ./evil.cjs", "yarnPath: ./evil.cjs"],
    [".yarnrc", 'yarn-path "./evil.js"', 'yarn-path "./evil.js"'],
    ["pnpm-workspace.yaml", "scriptShell: ./evil", "scriptShell: ./evil"],
    ["bunfig.toml", '[run]\nshell = "system"', 'shell = "system"'],
  ])("%s: %j belongs to a package script, also above its folder", (name, line, shown) => {
    for (const folder of ["/w", "/w/sub"]) {
      const files = {
        "/w/sub/package.json": script("a"),
        [`${folder}/${name}`]: `//registry/:_authToken=5ecret\n${line}\n`,
      }
      expect(textOf(npm, files)).toBe(`a\n${name}: ${shown}`)
    }
  })
})
