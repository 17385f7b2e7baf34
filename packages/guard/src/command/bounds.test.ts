import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { place } from "../../test/commands/summary.js"
import { analyzeArgv, analyzeBash } from "./analyze-bash.js"
import { analyzePowerShell } from "./analyze-power-shell.js"
import { isWriteFree } from "./is-write-free.js"
import { needsWorker } from "./needs-worker.js"

describe("needsWorker", () => {
  test("for long texts, many braces and many substitutions", () => {
    expect(needsWorker("a".repeat(4096))).toBe(false)
    expect(needsWorker("a".repeat(4097))).toBe(true)
    expect(needsWorker("{".repeat(64))).toBe(false)
    expect(needsWorker(`echo '${"{".repeat(65)}'`)).toBe(true)
    for (const opener of ["(", "`", "$[", "$("]) expect(needsWorker(opener.repeat(65))).toBe(true)
    expect(needsWorker("")).toBe(false)
  })
})

describe("analyzePowerShell", () => {
  test("is one opaque part", () => {
    const analysis = analyzePowerShell("Get-Content .env")
    expect(analysis).toMatchObject({
      parsed: false,
      parts: [{ opaque: true, text: "Get-Content .env", readOnly: false }],
    })
    expect(isWriteFree(analysis)).toBe(false)
  })
})

describe("any text at all", () => {
  const pieces = [
    ..."abc \t\n\r\\'\"$`(){}[]<>|&;!#*?~=-+,.:@%^/0129é\u3000\u200b\0",
    ...`$( $(( \${ '' "" << <<- <<< >> >& <& <> &> && || ;; ;& |& (( )) [[ ]] <( >( $' $" {a,b} {1..3}`.split(" "),
    ...`$x \${x} \${!x} \${x@P} \${x:-y} $1 $@ \${x[1]}`.split(" "),
    ..."if then else elif fi for in do done while until case esac function select coproc time cat rm cd eval source . set export exec trap xargs sudo env bash -c git -C -- EOF".split(
      " ",
    ),
  ]
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((list) => list.join(""))
  const spaced = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((list) => list.join(" "))

  test.each([
    ["glued", text],
    ["spaced", spaced],
    ["arbitrary", fc.string({ unit: "binary", maxLength: 200 })],
  ])("%s pieces end in at least one part and never throw", (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (line) => {
        const { parts, parsed } = analyzeBash(line, place)
        expect(parts.length).toBeGreaterThan(0)
        for (const part of parts) expect(part.opaque).toBe(part.why !== undefined)
        if (!parsed) expect(parts.at(-1)!.opaque).toBe(true)
      }),
      { numRuns: 1500 },
    )
  })

  test.each([
    ["nested substitutions", "$(".repeat(64)],
    ["closed substitutions", `${"$(".repeat(64)}ls${")".repeat(64)}`],
    ["nested groups", "(".repeat(64)],
    ["nested arithmetic", `echo ${"$((".repeat(32)}`],
    ["backticks", "`".repeat(64)],
    ["quotes", `"'`.repeat(2000)],
    ["braces", "{a,".repeat(64)],
    ["closed braces", `echo ${"{a,b}".repeat(60)}`],
    ["pipes", "|".repeat(4000)],
    ["heredocs", "<<a ".repeat(1000)],
    ["wrappers", `${"env ".repeat(1000)}ls`],
    ["parameters", `\${x:-`.repeat(60)],
    ["ifs", "if ".repeat(1300)],
    ["cases", "case a in a) ".repeat(300)],
    ["functions", "a() { ".repeat(60)],
    ["long words", "a".repeat(4096)],
    [
      "many variables",
      Array.from({ length: 300 }, (_, index) => `v${index}=a; cat $v${index};`)
        .join(" ")
        .slice(0, 4096),
    ],
    ["sed", `sed '${"s/a/b/;".repeat(500)}' x`],
    ["awk", `awk '${"/a/;".repeat(900)}' x`],
  ])("%s end soon", (_name, line) => {
    expect(needsWorker(line)).toBe(false)
    expect(analyzeBash(line, place).parts.length).toBeGreaterThan(0)
  })

  test.each([
    "$(",
    "(",
    "`",
    "$((",
    "{a,",
    "a() { ",
    `\${x:-`,
    "for i in 1 2 3 4; do ",
    "while cd a; do ",
    "case a in a) ",
  ])("%j, four thousand characters of it, ends in an opaque part", (opener) => {
    const line = opener.repeat(Math.floor(4000 / opener.length))
    expect(analyzeBash(line, place).parts.some(({ opaque }) => opaque)).toBe(true)
  })

  test.each(["{a,", "("])("%j in a variable that grows is not read where others wait", (opener) => {
    const grown = 'y="$x$x$x$x$x$x$x$x"; z="$y$y$y$y$y$y$y$y"; eval "$z$z$z$z$z$z$z$z"'
    const line = `x='${opener.repeat(60)}'; ${grown}`
    expect(needsWorker(line)).toBe(false)
    expect(analyzeBash(line, place).parts.at(-1)!.opaque).toBe(true)
  })

  test("a long text for a shell among the words of an exec is not read where others wait", () => {
    const { parts } = analyzeArgv(["bash", "-c", "{a,".repeat(20_000)], place)
    expect(parts.at(-1)).toMatchObject({ opaque: true, why: "the text that it runs is too long to be followed" })
  })

  test("of very many words only some are looked at, and the command is opaque", () => {
    const words = Array.from({ length: 100_000 }, (_, index) => `a${index}`)
    for (const { parts } of [
      analyzeBash(`rm ${words.join(" ")}; cat b`, place),
      analyzeArgv(["rm", ...words], place),
    ]) {
      expect(parts[0]!.argv.slice(0, 2)).toEqual(["rm", "a0"])
      expect(parts[0]!.deletes.length).toBeLessThan(2000)
      expect(parts[0]!.opaque).toBe(true)
      if (parts[1]) expect(parts[1]).toMatchObject({ argv: ["cat", "b"], opaque: false })
    }
  })
})
