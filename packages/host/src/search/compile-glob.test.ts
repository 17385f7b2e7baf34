import fc from "fast-check"
import { expect, test } from "vitest"
import { compileGlob } from "./compile-glob.js"

test.each([
  ["*.ts", ["a.ts", "x/y/b.ts", ".ts"], ["a.tsx", "a.ts/x"]],
  ["**/*.ts", ["a.ts", "x/y/b.ts"], ["a.js"]],
  ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts", "lib/src/a.ts"]],
  ["src/**", ["src/a", "src/x/y"], ["src", "lib/a"]],
  ["src/", ["src/a", "src/x/y"], ["a"]],
  ["./src/*.ts", ["src/a.ts"], ["a.ts"]],
  ["**/test/**/*.js", ["test/a.js", "x/test/y/z/a.js"], ["a.js", "tests/a.js"]],
  ["a/*/c/?.{ts,js}", ["a/b/c/d.ts", "a/b/c/d.js"], ["a/c/d.ts", "a/b/c/dd.ts", "a/b/c/d.md"]],
  ["{src,lib}/**/*.{a,b{1,2}}", ["src/x.a", "lib/y/z.b2"], ["src/x.b", "etc/x.a"]],
  ["[a-c]?[!0-9].txt", ["bxz.txt", "c1z.txt"], ["dxz.txt", "bx1.txt"]],
  ["\\*.ts", ["*.ts", "x/*.ts"], ["a.ts"]],
  ["\\!x", ["!x"], ["x"]],
  ["[x", ["[x"], ["x"]],
  ["a\\{b", ["a{b"], ["ab"]],
  ["[{]x[}]", ["{x}"], ["x"]],
  ["app/[id]/*.tsx", ["app/[id]/p.tsx", "app/i/p.tsx", "app/d/p.tsx"], ["app/id/p.tsx", "app/[i]/p.tsx"]],
  ["app/[[...slug]]/[id].[jt]s", ["app/[[...slug]]/[id].js", "app/[[...slug]]/i.ts"], ["app/x/[id].js"]],
  ["[...rest]*.ts", ["[...rest]a.ts", "[...rest].ts", "rx.ts"], ["xx.ts"]],
  ["a,b.txt", ["a,b.txt"], ["a", "b.txt"]],
  ["*,v", ["main.c,v"], ["v"]],
  ["*\\,*", ["a,b"], ["ab"]],
  ["?.txt", ["🙂.txt", "é.txt"], ["ab.txt"]],
  ["a**b", ["ab", "axxb"], ["a/b"]],
])("%s", (pattern, matching, different) => {
  for (const path of matching) expect(matches(pattern, path), path).toBe(true)
  for (const path of different) expect(matches(pattern, path), path).toBe(false)
})

test("the fixed beginning is where the search starts", () => {
  expect(compileGlob("a/b/*.ts")).toMatchObject({ prefix: "a/b", names: ["*.ts"], maxDepth: 1 })
  expect(compileGlob("/abs/x/**/*.ts")).toMatchObject({ prefix: "/abs/x", maxDepth: undefined })
  expect(compileGlob("../up/x.ts")).toMatchObject({ prefix: "../up", names: ["x.ts"] })
  expect(compileGlob("{a/b,a/c}/d/*")).toMatchObject({ prefix: "a", names: undefined, maxDepth: 3 })
  expect(compileGlob("**/*.{ts,js}")).toMatchObject({ prefix: "", names: ["*.ts", "*.js"] })
})

test("patterns that would surprise are refused", () => {
  const many = "{a,b,c,d,e,f,g,h}".repeat(4)
  for (const pattern of ["", " ", "!*.ts", "a\0b", "*/../x", "{/a,b}", many, "x".repeat(5000)]) {
    expect(() => compileGlob(pattern)).toThrowError(expect.objectContaining({ code: "invalid_args" }))
  }
})

test.each([
  ["*.ts,*.tsx", "a comma separates patterns only in braces", "{*.ts,*.tsx}"],
  ["src/**/*.ts, test/**/*.ts", "a comma separates patterns only in braces", "{src/**/*.ts,test/**/*.ts}"],
  ["*.ts|*.{js,jsx}", '"|" does not separate patterns', "{*.ts,*.{js,jsx}}"],
  ["*.{ts,tsx", 'its "{" at character 3 is never closed', "*.{ts,tsx}"],
  ["src/{a,{b,c}/*.ts", 'its "{" at character 5 is never closed', "src/\\{a,{b,c}/*.ts"],
  ["*.ts}", 'its "}" at character 5 closes nothing', "*.ts\\}"],
  ["a{b", 'its "{" at character 2 is never closed', "a\\{b"],
])("%s is refused with what is wrong and a pattern that works", (pattern, reason, instead) => {
  const refused = refusalOf(pattern)
  expect(refused).toMatchObject({ code: "invalid_args", message: `Cannot use the glob "${pattern}": ${reason}` })
  expect(refused.hint).toContain(`"${instead}"`)
  expect(() => compileGlob(instead)).not.toThrow()
})

test("a class takes its own text too, whatever is around it, as two plain readings would say", () => {
  const pieces = fc.array(fc.constantFrom("[ab]", "[!a]", "[[a]", "a", "b", "*", "?", "]", "!"), { maxLength: 5 })
  const names = fc.string({ unit: fc.constantFrom(..."ab[]!"), maxLength: 10 })
  let matched = 0
  fc.assert(
    fc.property(pieces, names, (parts, rest) => {
      const name = parts.map((part) => (part === "*" || part === "?" ? "b" : part)).join("") + rest
      const asText = new RegExp(`^${parts.map(textOfPiece).join("")}$`).test(name)
      const asClass = new RegExp(`^${parts.map(classOfPiece).join("")}$`).test(name)
      if (name === "" || parts.length === 0 || parts[0] === "!") return
      if (asText || asClass) {
        matched += 1
        expect(matches(`**/${parts.join("")}`, name), name).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
  expect(matched).toBeGreaterThan(100)
})

test("a pattern full of wildcards is matched in time that does not explode", () => {
  expect(matches(`${"*a".repeat(500)}b`, "a".repeat(2000))).toBe(false)
  expect(matches(`${"**/a/".repeat(100)}b`, "a/".repeat(500))).toBe(false)
})

test("what ripgrep is asked for never excludes what matches", () => {
  const name = fc
    .string({ unit: fc.constantFrom(..."ab.*?[]{}!:,\\é🙂-"), minLength: 1, maxLength: 6 })
    // These are no names: a pattern with them is refused.
    .filter((wanted) => wanted !== "." && wanted !== "..")
  fc.assert(
    fc.property(name, (wanted) => {
      const { names } = compileGlob(`**/${wanted.replaceAll(/[*?[\]{},\\!]/g, "\\$&")}`)
      expect(matches(`**/${wanted.replaceAll(/[*?[\]{},\\!]/g, "\\$&")}`, wanted)).toBe(true)
      for (const glob of names ?? []) {
        expect(glob).not.toMatch(/[:{}[\]\\!?]/)
        expect(matches(`**/${glob.replaceAll(",", "\\,")}`, wanted)).toBe(true)
      }
    }),
  )
})

function matches(pattern: string, path: string): boolean {
  const { prefix, matches: test } = compileGlob(pattern)
  if (prefix === "") return test(path)
  return path.startsWith(`${prefix}/`) && test(path.slice(prefix.length + 1))
}

function refusalOf(pattern: string): { readonly code: string; readonly message: string; readonly hint: string } {
  try {
    compileGlob(pattern)
  } catch (error) {
    return error as ReturnType<typeof refusalOf>
  }
  throw new Error(`"${pattern}" was taken`)
}

function textOfPiece(piece: string): string {
  if (piece === "*") return ".*"
  return piece === "?" ? "." : piece.replaceAll(/[[\]!]/g, "\\$&")
}

function classOfPiece(piece: string): string {
  const classes: Record<string, string> = { "[ab]": "[ab]", "[!a]": "[^a]", "[[a]": "[\\[a]" }
  return classes[piece] ?? textOfPiece(piece)
}
