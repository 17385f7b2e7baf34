import { ToolError, type ToolResult } from "@haft/contract"
import { rowNamed } from "@haft/runtime"
import { describe, expect, test } from "vitest"
import { failed, output } from "../../test/dialect-bench.js"
import { lobeIntervention } from "./intervention.js"
import { lobe } from "./lobe.js"

const local = "lobe-local-system"

describe("the one way out", () => {
  const found = rowNamed(lobe, `${local}____writeLocalFile`)

  test("a failure has its words, the type of a failing tool, and what programs need", () => {
    const error = new ToolError("conflict", "It changed", { hint: "Read it again" })
    expect(lobe.project(failed(error), found, {})).toEqual({
      value: {
        success: false,
        content: "It changed\nRead it again",
        error: { type: "Conflict", message: "It changed", body: { code: "conflict", hint: "Read it again" } },
      },
      success: false,
      text: "It changed\nRead it again",
    })
  })

  test.each([
    ["lobe-local-system____readEverything", "ApiNotFound"],
    ["lobe-weather____today", "ExecutorNotFound"],
    ["lobe-local-system/readEverything", "ApiNotFound"],
    ["read", "ExecutorNotFound"],
  ])("the unknown name %s is %s", (name, type) => {
    let thrown: ToolError | undefined
    try {
      rowNamed(lobe, name)
    } catch (error) {
      thrown = error as ToolError
    }
    const result = failed(thrown!)
    const metadata = { ...result.envelope.metadata, details: thrown!.details }
    const { value } = lobe.project({ ...result, envelope: { ...result.envelope, metadata } as never }, undefined, {})
    expect(value).toMatchObject({ success: false, error: { type } })
  })

  test("content is never empty", () => {
    const silent = output({ bytes_written: 0 }, { content: [] })
    expect(lobe.project(silent, found, {}).value).toEqual({
      success: true,
      content: "Done",
      state: { bytesWritten: 0, success: true },
    })
  })
})

const value = (name: string, data: object, input: object, rest: Partial<ToolResult> = {}) =>
  lobe.project(output(data, rest), rowNamed(lobe, name), input).value

test("a command that ended badly is an answer; its state says how it ended", () => {
  const end = { stdout: "out\n", stderr: "err\n", exit_code: 2, timed_out: false }
  expect(value(`${local}____runCommand`, end, { command: "x" })).toMatchObject({
    success: true,
    state: {
      exitCode: 2,
      stdout: "out\n",
      stderr: "err\n",
      output: "out\n\nerr\n",
      success: false,
      error: "Exit code 2",
    },
  })
})

test("found files: left out, turned round and cut afterwards", () => {
  const data = { paths: ["a.ts", "d/b.ts", "d2/c.ts", "e.ts"], complete: true }
  const name = `${local}____searchLocalFiles`
  const input = { keywords: "", exclude: ["./d/"], sortBy: "name", sortDirection: "desc", limit: 2 }
  expect(rowNamed(lobe, name).toArguments(input)).toMatchObject({ limit: 1000 })
  expect(value(name, data, input)).toMatchObject({
    content: "e.ts\nd2/c.ts\n[2 files]",
    state: { results: ["e.ts", "d2/c.ts"], totalCount: 2 },
  })
  expect(value(name, data, { keywords: "" })).toMatchObject({ state: { totalCount: 4 } })
})

test("a page that cannot be read fails a single call and not one of several", () => {
  const bad = { url: "https://b.test", content: "", error: "Cannot read it", error_code: "not_found" }
  const good = {
    url: "https://a.test",
    final_url: "https://a.test/x",
    content: "# A",
    content_type: "text/html",
    title: "A",
  }
  expect(value("lobe-web-browsing____crawlSinglePage", { pages: [bad], failed: 1 }, {})).toMatchObject({
    success: false,
    error: { type: "NotFound", message: "Cannot read it" },
    state: {
      results: [{ originalUrl: "https://b.test", data: { errorMessage: "Cannot read it", errorType: "not_found" } }],
    },
  })
  expect(value("lobe-web-browsing____crawlMultiPages", { pages: [good, bad], failed: 1 }, {})).toMatchObject({
    success: true,
    state: {
      results: [
        { originalUrl: "https://a.test", data: { url: "https://a.test/x", title: "A", content: "# A", length: 3 } },
        { data: { errorType: "not_found" } },
      ],
    },
  })
})

test("a search says what of the request had no effect", () => {
  const row = { title: "T", url: "https://a.test/x", content: "c", engines: ["ddg"], score: 1 }
  const input = { query: "q", searchEngines: ["google"], searchCategories: ["news"], searchTimeRange: "day" }
  const found = value("lobe-web-browsing____search", { results: [row], failed: [] }, input)
  expect(found).toMatchObject({
    content: expect.stringMatching(/Not searched.*google.*category: news.*last day/s),
    state: { costTime: 12, resultNumbers: 1, results: [{ ...row, parsedUrl: "a.test" }] },
  })
  expect(rowNamed(lobe, "lobe-web-browsing____search").toArguments(input)).toEqual({ query: "q" })
})

test("who is asked before: seven APIs, one of them always", () => {
  const marked = lobe.tools
    .map(({ name }) => [name.split("____")[1], lobeIntervention(name)])
    .filter(([, each]) => each !== "never")
  expect(marked).toEqual([
    ["moveLocalFiles", "required"],
    ["writeLocalFile", "required"],
    ["editLocalFile", "required"],
    ["runCommand", "required"],
    ["createPlan", "required"],
    ["createTodos", "required"],
    ["clearTodos", "always"],
  ])
})
