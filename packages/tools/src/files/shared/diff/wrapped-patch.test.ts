import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { failure } from "../../../../test/failure.js"
import { openBench, type ToolBench } from "../../../../test/tool-bench.js"
import { applyPatch } from "../../apply-patch/index.js"
import { patch } from "../../patch/index.js"

let bench: ToolBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const read = () => bench.workspace.readText("a.txt")
const unified = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
const envelope = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n three\n*** End Patch\n"

/** What models put around a patch. */
const wrappers: Readonly<Record<string, (inner: string) => string>> = {
  "a code fence": (inner) => `\`\`\`diff\n${inner}\`\`\`\n`,
  "a fence of tildes": (inner) => `~~~~\n${inner}~~~~`,
  "a fence without an end": (inner) => `\`\`\`patch\n${inner}`,
  "a here-document": (inner) => `apply_patch <<'EOF'\n${inner}EOF\n`,
  "a here-document with double quotes": (inner) => `apply_patch << "PATCH"\n${inner}PATCH`,
  "a here-document without quotes": (inner) => `apply_patch <<EOF\n${inner}EOF\n\n`,
  "a here-document alone": (inner) => `<<'EOF'\n${inner}EOF`,
  "a here-document for cat": (inner) => `cat <<'EOF' | apply_patch\n${inner}EOF\n`,
  "a here-document for git": (inner) => `git apply - <<'EOF'\n${inner}EOF\n`,
  "a here-document for patch": (inner) => `patch -p1 <<-'END_OF_PATCH'\n${inner}\tEND_OF_PATCH\n`,
  "both, one in the other": (inner) => `\n\`\`\`bash\napply_patch <<'EOF'\n${inner}EOF\n\`\`\`\n`,
  "an end without a beginning": (inner) => `${inner}EOF\n`,
  "line breaks of Windows": (inner) => `\`\`\`diff\n${inner}\`\`\`\n`.replaceAll("\n", "\r\n"),
}

describe.each(Object.entries(wrappers))("%s around it", (_, wrap) => {
  test.each([
    ["apply_patch, unified", () => bench.run(applyPatch, { patch: wrap(unified) })],
    ["apply_patch, Begin Patch", () => bench.run(applyPatch, { patch: wrap(envelope) })],
    ["patch", () => bench.run(patch, { file_path: "a.txt", diff: wrap(unified) })],
  ])("%s is applied, and says which paths it touches", async (_, run) => {
    await bench.workspace.write({ "a.txt": "one\ntwo\nthree\nfour\n" })
    await run()
    expect(await read()).toBe("one\n2\nthree\nfour\n")
    const paths = applyPatch.manifest
      .effects({ patch: wrap(envelope) })
      .map((effect) => "path" in effect && effect.path)
    expect(paths).toEqual(["a.txt", "a.txt"])
  })
})

test("a fence or a delimiter that belongs to the file stays in it", async () => {
  await bench.workspace.write({ "a.txt": "EOF\n```\nx\n" })
  await bench.run(applyPatch, {
    patch: "```\n*** Begin Patch\n*** Update File: a.txt\n EOF\n+```\n ```\n-x\n+EOF\n*** End Patch\n```\n",
  })
  expect(await read()).toBe("EOF\n```\n```\nEOF\n")
})

test.each([
  ["a command that changes the folder", `cd src && apply_patch <<'EOF'\n${envelope}EOF\n`],
  ["another command", `rm -rf x <<'EOF'\n${envelope}EOF\n`],
  ["a patch that is reversed", `patch -R -p1 <<'EOF'\n${envelope}EOF\n`],
  ["a patch for another folder", `git apply --directory=src <<'EOF'\n${envelope}EOF\n`],
  ["a command after it", `apply_patch <<'EOF' && rm x\n${envelope}EOF\n`],
])("%s is refused with a word, and nothing is changed", async (_, wrapped) => {
  await bench.workspace.write({ "a.txt": "one\ntwo\nthree\n" })
  const problem = applyPatch.manifest.input.safeParse({ patch: wrapped }).error?.issues[0]?.message
  expect(problem).toContain("line 1: it is wrapped in a command that is more than apply_patch")
  expect(applyPatch.manifest.effects({ patch: wrapped })).toEqual([])
  expect(
    (await failure(bench.run(patch, { file_path: "a.txt", diff: wrapped.replace(envelope, unified) }))).message,
  ).toContain("it is wrapped in a command")
  expect(await read()).toBe("one\ntwo\nthree\n")
})

test("line breaks that arrive as backslashes are named", async () => {
  const problem = applyPatch.manifest.input.safeParse({ patch: envelope.replaceAll("\n", "\\n") }).error?.issues[0]
    ?.message
  expect(problem).toContain("its line breaks are a backslash and an n")
  const error = await failure(bench.run(patch, { file_path: "a.txt", diff: unified.replaceAll("\n", "\\n") }))
  expect(error.message).toContain("its line breaks are a backslash and an n")
})

test("lines of the patch are counted with what is around it", () => {
  const wrapped = "```\napply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.txt\n?\n*** End Patch\nEOF\n```"
  const problem = applyPatch.manifest.input.safeParse({ patch: wrapped }).error?.issues[0]?.message
  expect(problem).toContain("line 5:")
})

/** A line, the blanks that end it in the file, and those that end it in the patch. */
const blanks = fc.constantFrom("", "", " ", "  ", "\t", " \t")
const line = fc.record({
  text: fc.constantFrom("", "alpha", "beta {", "}", "  indented", "größe", "- item", "+ item", "EOF", "```"),
  inFile: blanks,
  inPatch: blanks,
})

test("trailing blanks of context may differ; every byte outside the changed lines stays", async () => {
  let applied = 0
  let differing = 0
  const change = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    at: fc.nat(),
    context: fc.nat(3),
    remove: fc.nat(2),
    add: fc.array(fc.constantFrom("new", "new  ", "", "\tnew"), { maxLength: 2 }),
    ending: fc.constantFrom("\n", "\r\n"),
    wrap: fc.constantFrom((inner: string) => inner, ...Object.values(wrappers)),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ lines, at, context, remove, add, ending, wrap }) => {
      const from = at % lines.length
      const to = Math.min(lines.length, from + remove)
      if (to === from && add.length === 0) return
      const [start, end] = [Math.max(0, from - context), Math.min(lines.length, to + context)]
      if (start === end) return
      const sent = (sign: string, first: number, last: number) =>
        lines.slice(first, last).map(({ text, inPatch }) => `${sign}${text}${inPatch}\n`)
      const body = [
        ...sent(" ", start, from),
        ...sent("-", from, to),
        ...add.map((text) => `+${text}\n`),
        ...sent(" ", to, end),
      ]
      const newCount = end - start - (to - from) + add.length
      const header = `@@ -${start + 1},${end - start} +${newCount === 0 ? start : start + 1},${newCount} @@\n`
      const file = lines.map(({ text, inFile }) => text + inFile + ending)
      const expected = [...file.slice(0, from), ...add.map((text) => text + ending), ...file.slice(to)].join("")
      if (lines.slice(start, end).some(({ inFile, inPatch }) => inFile !== inPatch)) differing += 1

      await bench.workspace.write({ "a.txt": file.join("") })
      await bench.run(patch, { file_path: "a.txt", diff: wrap(header + body.join("")) })
      expect(await read()).toBe(expected)

      await bench.workspace.write({ "a.txt": file.join("") })
      const pieces = `*** Begin Patch\n*** Update File: a.txt\n@@\n${body.join("")}*** End Patch\n`
      const placed = await bench.run(applyPatch, { patch: wrap(pieces) }).then(
        () => true,
        () => false,
      )
      // Lines that occur twice have no certain place; then nothing may be changed.
      if (!placed) expect(await read()).toBe(file.join(""))
      else if (isAlone(lines, start, end)) {
        expect(await read()).toBe(expected)
        applied += 1
      }
    }),
    { numRuns: 400 },
  )
  expect(applied).toBeGreaterThan(80)
  expect(differing).toBeGreaterThan(80)
})

/** Whether these lines are at one place only, trailing blanks aside. */
function isAlone(lines: readonly { readonly text: string }[], start: number, end: number): boolean {
  const texts = lines.map(({ text }) => text)
  const wanted = texts.slice(start, end).join("\n")
  return texts.filter((_, index) => texts.slice(index, index + end - start).join("\n") === wanted).length === 1
}

test("an exact place wins over one whose blanks differ, and two of those are no place", async () => {
  const pieces = (...lines: string[]) =>
    ["*** Begin Patch", "*** Update File: a.txt", ...lines, "*** End Patch"].join("\n")
  await bench.workspace.write({ "a.txt": "x  \ny\nx\ny\n" })
  await bench.run(applyPatch, { patch: pieces(" x", "-y", "+z") })
  expect(await read()).toBe("x  \ny\nx\nz\n")
  await bench.workspace.write({ "a.txt": "x  \ny\nx \ny\n" })
  const error = await failure(bench.run(applyPatch, { patch: pieces(" x", "-y", "+z") }))
  expect(error.message).toContain("occur 2 times, at lines 1, 3")
  expect(await read()).toBe("x  \ny\nx \ny\n")
})
