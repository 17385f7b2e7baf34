import type { CallView } from "@haft/contract"
import { catalog } from "@haft/tools"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, test } from "vitest"
import { CallCard, CallPortal, loadFaceTool } from "../src/index.js"

describe("what only the whole page shows", () => {
  test("a file that changed since it was read: what somebody else did, beside what the call wanted", async () => {
    const diff = "--- read\n+++ now\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"
    const error = { type: "conflict", message: `Cannot write "a.txt": it was changed\n${diff}`, body: { diff } }
    const call: CallView = {
      id: "call_1",
      tool: "edit",
      phase: "error",
      arguments: { file_path: "a.txt", old_string: "two", new_string: "2" },
      error,
    }
    for (const html of [await drawn(call), await drawn(call, true)]) {
      expect(html).toContain("Changed by somebody else since it was read")
      expect(html).toContain("What this call wanted")
      expect(html.indexOf("TWO")).toBeLessThan(html.indexOf("What this call wanted"))
      // The diff is drawn, and not written into the sentence once more.
      expect(html).not.toContain("@@ -1,2")
    }
    const other = { ...call, error: { type: "conflict", message: "it occurs twice", body: { lines: [1, 2] } } }
    expect(await drawn(other)).not.toContain("What this call wanted")
  })

  test("a todo list beside the one before", async () => {
    const call = ended("todo", { todos: [{ content: "Mend", status: "completed" }] })
    const details = { before: [{ content: "Mend", status: "pending" }] }
    expect(await drawn({ ...call, details }, true)).toMatch(/Before.*to do.*After.*done/s)
    expect(await drawn({ ...call, details })).not.toContain("to do")
  })

  test("a notebook with all its cells and what they gave", async () => {
    const call = ended("notebook_edit", { cell_id: "b", cell_type: "code", cell_count: 2 })
    const cells = [
      { id: "a", type: "markdown", source: "# Title" },
      { id: "b", type: "code", source: "1 + 1", outputs: ["2", "<b>not markup</b>"] },
    ]
    const html = await drawn({ ...call, details: { cells } }, true)
    expect(html).toMatch(/Title.*data-changed="true".*&lt;b&gt;not markup/s)
    expect(await drawn({ ...call, details: { cells } })).not.toContain("Title")
  })

  test("a log with the lines between commits, and a page with the addresses that led to it", async () => {
    const commits = ["m", "a", "b", "f"].map((id) => ({ id, commit: id, author: "x", date: "d", message: id }))
    const log = ended("git", { command: "log", text: "log", commits })
    const parents = [["a", "b"], ["f"], ["f"], []]
    expect(await drawn({ ...log, details: { parents } })).toContain("● │")
    expect(await drawn(log)).not.toContain("●")
    const page = ended("web_fetch", { url: "https://b.test/", status: 200, content_type: "text/html", content: "x" })
    const redirects = ["http://a.test/", "https://a.test/<i>"]
    expect(await drawn({ ...page, details: { redirects } })).toMatch(/Came from.*http:\/\/a\.test\/.*&lt;i&gt;/s)
  })

  test("what was found can be narrowed", async () => {
    const found = ended("grep", { matches: [{ path: "a.ts", line: 1, text: "x" }], match_count: 1, file_count: 1 })
    expect(await drawn(found, true)).toContain('aria-label="Narrow what was found"')
    expect(await drawn(found)).not.toContain("Narrow what was found")
  })
})

function ended(tool: string, data: object): CallView {
  return { id: "call_1", tool, phase: "ok", arguments: {}, data, startedAt: 1, endedAt: 2 }
}

async function drawn(call: CallView, isWhole = false): Promise<string> {
  const tool = await loadFaceTool(catalog.find(({ manifest }) => manifest.id === call.tool)!)
  return renderToStaticMarkup(createElement(isWhole ? CallPortal : CallCard, { call, tool }))
}
