import fc from "fast-check"
import { expect, test } from "vitest"
import { type FoundFile, GrepOutputReader } from "./grep-output-reader.js"

const files = [
  "./a.txt\x001:1:one\r\n2-two\n--\r\n9:4:nine\n",
  "./new\nline\x003:1:12:forged\n",
  "./skipped\x001:1:x\n2:1:y\r\n",
  "./binary\x001:1:x\n./binary: WARNING: stopped searching binary file after match (found ...)\r\n",
  `./long\x004:30001:${"a".repeat(30_000)}b${"c".repeat(30_000)}\r\n5-${"d".repeat(2_001)}\n`,
  "./last\x0010:1:\n",
]

test.each(["\n", "\r\n"])("output is read the same however it is cut into pieces", (fileBreak) => {
  const output = files.join(fileBreak)
  const whole = read([Buffer.from(output)])
  expect(
    whole.map(({ path, lines }) => [path, ...lines.map(({ line, text, isMatch }) => [line, text, isMatch])]),
  ).toEqual([
    ["a.txt", [1, "one", true], [2, "two", false], [9, "nine", true]],
    ["new\nline", [3, "12:forged", true]],
    [
      "long",
      [
        4,
        `[... 29500 bytes; the match is at column 30001 ...] ${"a".repeat(500)}b${"c".repeat(1499)} [... 28501 more bytes]`,
        true,
      ],
      [5, `${"d".repeat(2000)} [... 1 more bytes]`, false],
    ],
    ["last", [10, "", true]],
  ])
  fc.assert(
    fc.property(fc.array(fc.nat({ max: output.length })), (cuts) => {
      const edges = [0, ...cuts.sort((left, right) => left - right), output.length]
      const pieces = edges.slice(1).map((end, index) => Buffer.from(output.slice(edges[index], end)))
      expect(read(pieces)).toEqual(whole)
    }),
  )
})

test("a file with more text than is kept is cut and says so", () => {
  const long = Buffer.from(
    `./a\x00${Array.from({ length: 100 }, (_, index) => `${index}:1:${"x".repeat(50)}\n`).join("")}`,
  )
  const [file] = read([long], 1000)
  expect(file?.cut).toBe(true)
  expect(file?.lines.length).toBeLessThan(20)
})

function read(pieces: readonly Buffer[], maxFileBytes = 1_000_000): FoundFile[] {
  const found: FoundFile[] = []
  const reader = new GrepOutputReader({
    maxFileBytes,
    wants: (path) => path !== "skipped",
    take: (file) => found.push(file),
  })
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return found
}
