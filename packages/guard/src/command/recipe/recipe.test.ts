import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { place } from "../../../test/commands/summary.js"
import { analyzeBash } from "../analyze-bash.js"
import { recipeDigest } from "./recipe-digest.js"
import { hidesRecipe, recipeOf, recipeOfCommand } from "./recipe-of.js"
import { recipeSource } from "./recipe-source.js"
import { recipeText } from "./recipe-text.js"

describe("recipeOf", () => {
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
    ["just build", "just", "build"],
    ["timeout 9 npm test", "npm", "test"],
    ["npm test 2>&1 | tail", "npm", "test"],
    ["CI=1 npm test", "npm", "test"],
    ["yarn dev", "npm", "dev"],
    ["pnpm dev --host", "npm", "dev"],
  ])("%j runs %s %s", (line, kind, name) => {
    expect(recipeOf(analyzeBash(line, place))).toMatchObject({ kind, name })
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
  ])("%j runs none that is known", (line) => {
    expect(recipeOf(analyzeBash(line, place))).toBeUndefined()
  })

  test("the file is the one of the folder that the command runs in", () => {
    expect(recipeOf(analyzeBash("cd pkg && npm test", place))?.file).toBe("/w/pkg/package.json")
    expect(recipeOfCommand(["make"], "/x")).toEqual({ kind: "make", name: "", file: "/x/Makefile" })
    expect(recipeOfCommand(["just", "a"], "/x")).toEqual({ kind: "just", name: "a", file: "/x/justfile" })
  })
})

describe("hidesRecipe", () => {
  test.each([
    "npm test -w x",
    "npm --prefix x test",
    "npm run --workspaces lint",
    "make -f other test",
    "make CC=x a",
    "timeout 9 make -C x a",
    "pnpm -r test",
  ])("%j: which text it runs is not known", (line) => {
    expect(hidesRecipe(line.split(" "))).toBe(true)
  })

  test.each([
    "npm test",
    "make a",
    "npm install",
    "cargo test",
    "git status",
    "yarn add x",
    "A=1",
    "A=1 timeout 9 npm test",
  ])("%j hides nothing", (line) => {
    expect(hidesRecipe(line.split(" "))).toBe(false)
  })

  test("what is set before a command and wrappers do not change its text", () => {
    const plain = recipeOfCommand(["npm", "test"], "/x")
    expect(recipeOfCommand(["A=1", "timeout", "9", "npm", "test"], "/x")).toEqual(plain)
  })
})

describe("recipeText", () => {
  const npm = (name: string, file: unknown) =>
    recipeText({ kind: "npm", name, file: "" }, typeof file === "string" ? file : JSON.stringify(file))
  const make = (name: string, text: string) => recipeText({ kind: "make", name, file: "" }, text)

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

  test("just recipes have parameters and dependencies", () => {
    const text = recipeText(
      { kind: "just", name: "build", file: "" },
      "x := '1'\n\nbuild target='a': lint\n  cargo build {{target}}\n\nlint:\n  eslint\n\nother:\n  rm -rf /\n",
    )!
    expect(text).toContain("cargo build")
    expect(text).toContain("eslint")
    expect(text).not.toContain("rm -rf")
  })

  test("any text gives a text or none", () => {
    fc.assert(
      fc.property(fc.constantFrom("npm", "make", "just"), fc.string(), fc.string(), (kind, name, text) => {
        recipeText({ kind, name, file: "" }, text)
      }),
    )
  })
})

describe("recipeSource", () => {
  const places = (files: Readonly<Record<string, string>>) => ({ peek: (path: string) => files[path], roots: ["/w"] })
  const scripts = (test: string) => JSON.stringify({ scripts: { test } })

  test("npm takes the nearest package.json, up to the root and no further", () => {
    const recipe = recipeOfCommand(["npm", "test"], "/w/a/b")!
    expect(recipeSource(recipe, places({ "/w/package.json": scripts("top") }))).toBe("top")
    expect(recipeSource(recipe, places({ "/w/package.json": scripts("top"), "/w/a/package.json": scripts("a") }))).toBe(
      "a",
    )
    expect(
      recipeSource(recipe, places({ "/w/a/package.json": "{}", "/w/package.json": scripts("top") })),
    ).toBeUndefined()
    expect(recipeSource(recipe, places({ "/package.json": scripts("outside") }))).toBeUndefined()
    const outside = recipeOfCommand(["npm", "test"], "/x/y")!
    expect(recipeSource(outside, places({ "/x/package.json": scripts("x") }))).toBeUndefined()
  })

  test("make and just take the name that they look for first; make does not climb", () => {
    const make = recipeOfCommand(["make", "a"], "/w/s")!
    const files = { "/w/s/Makefile": "a:\n\tone\n", "/w/s/makefile": "a:\n\ttwo\n" }
    expect(recipeSource(make, places(files))).toContain("two")
    expect(recipeSource(make, places({ ...files, "/w/s/GNUmakefile": "a:\n\tthree\n" }))).toContain("three")
    expect(recipeSource(make, places({ "/w/Makefile": "a:\n\tabove\n" }))).toBeUndefined()
    const just = recipeOfCommand(["just", "a"], "/w/s")!
    expect(recipeSource(just, places({ "/w/.justfile": "a:\n  above\n" }))).toContain("above")
  })
})

describe("recipeDigest", () => {
  test("is the SHA-256 of the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(recipeDigest(text)).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`)
      }),
    )
    for (const length of [55, 56, 63, 64, 65, 119, 120, 1000]) {
      const text = "é".repeat(length)
      expect(recipeDigest(text)).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`)
    }
  })
})
