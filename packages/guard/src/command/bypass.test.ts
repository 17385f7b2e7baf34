import { describe, expect, test } from "vitest"
import { hiddenReaders } from "../../test/commands/hidden-readers.js"
import { hiddenWriters } from "../../test/commands/hidden-writers.js"
import { secretReaders } from "../../test/commands/secret-readers.js"
import { place } from "../../test/commands/summary.js"
import { joinPath } from "../path.js"
import { analyzeBash } from "./analyze-bash.js"
import { isWriteFree } from "./sandbox-for.js"

const analyse = (text: string) => analyzeBash(text, place)

describe("whatever spells a denied file", () => {
  test.each(secretReaders)("%j reads it or is opaque", (text) => {
    const { parts } = analyse(text)
    const seen = parts.some(({ reads, directory }) => reads.some((path) => joinPath(directory, path) === "/w/.env"))
    expect(seen || parts.some(({ opaque }) => opaque)).toBe(true)
  })

  test("nearly all of them are seen for what they are", () => {
    const seen = secretReaders.filter((text) =>
      analyse(text).parts.some(({ reads, directory }) => reads.some((path) => joinPath(directory, path) === "/w/.env")),
    )
    expect(secretReaders.length - seen.length).toBeLessThan(5)
  })

  test.each(hiddenReaders)("%j is opaque", (text) => {
    expect(analyse(text).parts.some(({ opaque }) => opaque)).toBe(true)
  })
})

describe("whatever writes is never taken for reading", () => {
  test.each(hiddenWriters)("%j", (text) => {
    expect(isWriteFree(analyse(text))).toBe(false)
  })

  test.each(["ls \u00a0; touch x", "ls\u2003touch", "cat\u3000a", "ls \u200b"])(
    "%j: spaces of other scripts belong to words",
    (text) => {
      expect(isWriteFree(analyse(text))).toBe(text.startsWith("ls \u200b"))
    },
  )
})
