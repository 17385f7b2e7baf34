import { toolsetNames } from "@haft/contract"
import { expect, test } from "vitest"
import { catalog } from "./catalog.js"
import { promptOfSets, toolsets, toolsInSets } from "./toolset.js"

const ids = (choice: string | readonly string[]) => toolsInSets(catalog, choice).map(({ manifest }) => manifest.id)

test("a choice is a name, a comma list, an array or all, in the order of the catalogue", () => {
  const first = ["read", "write", "edit", "glob", "grep", "bash", "todo", "task"]
  const locked = [...first, "question", "web_search", "web_fetch", "skill", "tool_search"]
  expect(ids("locked")).toEqual(locked)
  expect(ids("code, locked").slice(0, 15)).toEqual([...locked, "ls", "patch"])
  expect(ids(["system"]).slice(-2)).toEqual(["repl", "powershell"])
  expect(ids("all")).toEqual(catalog.map(({ manifest }) => manifest.id))
})

test("there is a set for each name", () => {
  expect(toolsets.map(({ name }) => name)).toEqual(toolsetNames)
})

test("an unknown name is invalid_args that names the known ones", () => {
  for (const choice of ["lockd", "", "locked,", [""]]) {
    expect(() => ids(choice)).toThrow(expect.objectContaining({ code: "invalid_args" }))
  }
  expect(() => ids("lockd")).toThrow(expect.objectContaining({ hint: 'Did you mean "locked"?' }))
})

test("an empty list names no tools", () => {
  expect(ids([])).toEqual([])
})

test("each toolset names existing tools, and its paragraph names each of them", () => {
  for (const { tools, prompt } of toolsets) {
    for (const id of tools) {
      expect(catalog.some(({ manifest }) => manifest.id === id)).toBe(true)
      expect(prompt).toMatch(new RegExp(`\\b${id}\\b`))
    }
  }
})

test("the paragraphs of a choice come once each", () => {
  const [locked, code] = toolsets.map(({ prompt }) => prompt)
  expect(promptOfSets("locked,code,locked").split("\n\n")).toEqual([locked, code])
  expect(promptOfSets("all").split("\n\n")).toEqual(toolsets.map(({ prompt }) => prompt))
})

test("on Windows the rules of its shell follow, where there is a shell", () => {
  expect(promptOfSets("locked", { windows: true })).toContain("PowerShell")
  expect(promptOfSets("locked")).not.toContain("PowerShell")
  expect(promptOfSets("launcher", { windows: true })).not.toContain("PowerShell")
})
