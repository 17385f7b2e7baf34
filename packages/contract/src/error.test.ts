import { expect, test } from "vitest"
import { hintWords, type Speech, ToolError } from "./error.js"

const offered: Speech = {
  tool: (id) => ({ glob: "find_by_name", read: "read" })[id],
  key: (name) => ({ offset: "loc" })[name],
}

// biome-ignore format: one line for each
test.each<[string, Parameters<typeof hintWords>[0], string | undefined, string | undefined]>([
  ["plain words", "Try again", "Try again", "Try again"],
  ["one tool", { say: "Open it with {tool:read}" }, "Open it with read", "Open it with read"],
  ["a tool under another name", { say: "Look with {tool:glob}" }, "Look with find_by_name", "Look with glob"],
  ["of two tools the one that is offered", { say: "Look with {tool:glob|ls}" }, "Look with find_by_name", "Look with glob or ls"],
  ["a tool that is not offered", { say: "List it with {tool:ls}" }, undefined, "List it with ls"],
  ["an argument", { say: "Begin earlier with {key:offset}" }, "Begin earlier with loc", "Begin earlier with offset"],
  ["an argument that is not taken", { say: "Raise {key:timeout|timeout_ms}" }, undefined, "Raise timeout or timeout_ms"],
  ["a step with two names of which one is unknown", { say: "{tool:read} with {key:limit}" }, undefined, "read with limit"],
  ["several steps", ["Wait", { say: "List it with {tool:ls}" }, { say: "Open it with {tool:read}" }], "Wait. Open it with read", "Wait. List it with ls. Open it with read"],
  ["no step", [], undefined, undefined],
  ["none at all", undefined, undefined, undefined],
  ["data of a call, which is no step", 'There is "{tool:ls}"', 'There is "{tool:ls}"', 'There is "{tool:ls}"'],
])("%s", (_name, hint, told, own) => {
  expect(hintWords(hint, offered)).toBe(told)
  const error = new ToolError("not_found", "m", { hint })
  expect(error.hintFor(offered)).toBe(told)
  expect(error.hint).toBe(own)
})

test("a fix is apart from the hint", () => {
  const error = new ToolError("not_configured", "m", { fix: "haft doctor" })
  expect([error.hint, error.fix]).toEqual([undefined, "haft doctor"])
})
