import type { OutputLimit } from "@haft/contract"
import { text } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { truncate } from "./truncate.js"

const entries: OutputLimit = { unit: "entries", max: 3, past: "sidecar", field: "paths" }
const streams: OutputLimit = {
  unit: "bytes",
  max: 20,
  past: "sidecar",
  fields: ["stdout", "stderr"],
  keep: "head-and-tail",
}

async function bound(data: Record<string, unknown>, limit: OutputLimit) {
  const kept: string[] = []
  const result = await truncate(data, {
    limit,
    max: limit.max,
    present: (shown) => [text(JSON.stringify(shown))],
    keep: async (whole) => {
      kept.push(whole)
      return "/out/call.txt"
    },
  })
  return { result, kept }
}

test("[C2-43] an output exactly at its limit is whole", async () => {
  const { result, kept } = await bound({ paths: ["a", "b", "c"] }, entries)
  expect(result).toMatchObject({ truncated: false, data: { paths: ["a", "b", "c"] } })
  expect(result.data).not.toHaveProperty("head")
  expect(kept).toEqual([])
})

test("[C2-44] one entry more: data is cut, head and path are given, the file has everything", async () => {
  const { result, kept } = await bound({ paths: ["a", "b", "c", "d"], complete: true }, entries)
  expect(result.truncated).toBe(true)
  // [C2-22] A cut list is never complete; the words say what the tool found.
  expect(result.data).toMatchObject({ paths: ["a", "b", "c"], complete: false })
  expect(result.data.head).toContain('"c"')
  expect(result.outputPath).toBe("/out/call.txt")
  expect(kept[0]).toContain('"d"')
  expect(result.content().at(-1)).toEqual(
    text("[Truncated: 3 of 4 paths are shown, all 4 are in /out/call.txt; open it with read]"),
  )
})

test("head and tail of the streams stay, cut between characters, and small streams stay whole", async () => {
  const { result } = await bound({ stdout: `${"ä".repeat(30)}end`, stderr: "oh" }, streams)
  expect(result.data.stderr).toBe("oh")
  expect(result.data.stdout).toMatch(/^ä+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nä*end$/)
  expect(result.data.stdout).not.toContain("\uFFFD")
})

test("[C2-46] whatever the text, the cut never breaks a character and says so", () => {
  return fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), async (stdout) => {
      const { result } = await bound({ stdout, stderr: "" }, streams)
      expect(result.truncated).toBe(Buffer.byteLength(stdout) > 20)
      if (!result.truncated) expect(result.data.stdout).toBe(stdout)
      if (!stdout.includes("\uFFFD") && stdout.isWellFormed?.() !== false)
        expect(String(result.data.stdout)).not.toContain("\uFFFD")
    }),
  )
})

const command: OutputLimit = { ...streams, max: 1_000, text: { maxCharacters: 400, marks: ["[stderr]"] } }

async function bounded(data: Record<string, unknown>, sidecar?: string) {
  const kept: string[] = []
  const present = (shown: Record<string, unknown>) => [text(`${shown.stdout}`), text("[exit code 1]")]
  const keep = async (whole: string) => `/out/${kept.push(whole)}.txt`
  const result = await truncate(data, { limit: command, max: command.max, present, sidecar, keep })
  return { result, kept, said: result.content().map((part) => (part.type === "text" ? part.text : "")) }
}

test("a text beyond its own limit is shortened while the data stays whole; all of it is in a file that the text names", async () => {
  const stdout = "line\n".repeat(100)
  const { result, kept, said } = await bounded({ stdout, stderr: "" })
  expect(result).toMatchObject({ data: { stdout, stderr: "" }, truncated: false, outputPath: "/out/1.txt" })
  expect(result.data).not.toHaveProperty("head")
  expect(kept).toEqual([`${stdout}\n[exit code 1]`])
  expect(said[0]!.length).toBeLessThanOrEqual(420)
  expect(said[0]).toMatch(/^(?:line\n)+\[\.\.\. \d+ characters left out \.\.\.\]\n(?:line\n)+$/)
  expect(said.slice(1)).toEqual([
    "[exit code 1]",
    expect.stringMatching(
      /^\[Shortened: \d+ of 500 characters are shown, all of them are in \/out\/1.txt; open it with read\]$/,
    ),
  ])
  expect(result.whole!()).toEqual([text(stdout), text("[exit code 1]")])
})

test("a text within its own limit makes no file", async () => {
  const { result, kept, said } = await bounded({ stdout: "x".repeat(390), stderr: "" })
  expect([result.truncated, result.outputPath, kept, said[0]!.length]).toEqual([false, undefined, [], 390])
})

test("data that a tool has cut keeps its file, and its text is shortened too", async () => {
  const { result, kept, said } = await bounded({ stdout: "x".repeat(900), stderr: "" }, "/out/port.txt")
  expect(result).toMatchObject({ truncated: true, outputPath: "/out/port.txt", data: { stdout: "x".repeat(900) } })
  expect(kept).toEqual([])
  expect(said[0]!.length).toBeLessThanOrEqual(420)
  expect(said.at(-1)).toBe("[Truncated: more of the output is in /out/port.txt; open it with read]")
})
