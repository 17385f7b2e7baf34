import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { place } from "../../test/commands/summary.js"
import { analyzeArgv, analyzeBash, analyzePowerShell } from "./analyze-bash.js"
import { isWriteFree } from "./sandbox-for.js"
import { needsWorker } from "./shell/walk.js"

describe("needsWorker", () => {
  test("for long texts, many braces and many substitutions", () => {
    expect(needsWorker("a".repeat(4096))).toBe(false)
    expect(needsWorker("a".repeat(4097))).toBe(true)
    expect(needsWorker("{".repeat(64))).toBe(false)
    expect(needsWorker(`echo '${"{".repeat(65)}'`)).toBe(true)
    for (const opener of ["(", "`", "$[", "$("]) expect(needsWorker(opener.repeat(65))).toBe(true)
    expect(needsWorker("$(".repeat(16))).toBe(false)
    expect(needsWorker("$(".repeat(17))).toBe(true)
    expect(needsWorker("(".repeat(17))).toBe(true)
    expect(needsWorker("echo $(a) ".repeat(32))).toBe(false)
    expect(needsWorker("case a in a) <(".repeat(33))).toBe(true)
    expect(needsWorker("\\`".repeat(33))).toBe(true)
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
    ["nested substitutions", "$(".repeat(16)],
    ["closed substitutions", `${"$(".repeat(16)}ls${")".repeat(16)}`],
    ["substitutions side by side", "echo $(ls) ".repeat(32)],
    ["nested groups", "(".repeat(16)],
    ["nested arithmetic", `echo ${"$((".repeat(8)}`],
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
    const line = `x='${opener.repeat(opener === "(" ? 16 : 60)}'; ${grown}`
    expect(needsWorker(line)).toBe(false)
    expect(analyzeBash(line, place).parts.at(-1)!.opaque).toBe(true)
  })

  test("one text that is evaluated again and again is not followed to the end where others wait", () => {
    const line = `x='${"ls; ".repeat(250)}'; ${'eval "$x"; '.repeat(100)}`
    expect(needsWorker(line)).toBe(false)
    expect(analyzeBash(line, place).parts.at(-1)).toMatchObject({ opaque: true })
  })

  test("no nesting that is read where others wait takes long", () => {
    const tokens =
      `$( \` " ' \${x:- \${x/a/ \${x[ \${x: $(( (( ( {_ {a, <( >( <<< <<E\n \n ; | && case_x_in_x)_ esac if_ then_ fi [[_ _]] a _ $x \\ ) } )) do_ for_i_in_ done while_ =( [ ] * @( !( =~ f()_ coproc_ $' & ! 1+ eval_ bash_-c_ echo_ {1..9} ~ # $[ a= time_ \\\` bash_<<<_`
        .split(" ")
        .map((token) => token.replaceAll("_", " ").replaceAll("\\n", "\n"))
    const piece = (max: number) => fc.array(fc.constantFrom(...tokens), { maxLength: max }).map((list) => list.join(""))
    let read = 0
    fc.assert(
      fc.property(piece(5), piece(2), piece(3), fc.constantFrom(16, 32, 60, 150), (unit, middle, close, times) => {
        const line = `echo ${unit.repeat(times)}${middle}${close.repeat(times)}`
        if (needsWorker(line)) return
        read += 1
        // What the compiler and the collector of the engine take is not counted twice.
        const took = () => Math.min(cpuOf(line), cpuOf(line), cpuOf(line))
        expect(cpuOf(line) < 50 || took() < 50, JSON.stringify([unit, middle, close, times])).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(read).toBeGreaterThan(500)
  })

  /** Milliseconds of the processor, which other programs of the machine do not change. */
  function cpuOf(line: string): number {
    const before = process.cpuUsage()
    analyzeBash(line, place)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

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
