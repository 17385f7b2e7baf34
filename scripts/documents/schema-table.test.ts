import { expect, test } from "vitest"
import { fence, table } from "./markdown.js"
import { schemaTable } from "./schema-table.js"

test("members of nested objects and lists have rows of their own", () => {
  const text = schemaTable(
    {
      type: "object",
      properties: {
        todos: {
          type: "array",
          items: { type: "object", properties: { status: { enum: ["open", "done"] } }, required: ["status"] },
        },
        limit: { type: "integer", minimum: 1, maximum: 9, default: 3, description: "How many" },
      },
      required: ["todos"],
    },
    "input",
  )
  expect(text.split("\n")).toEqual([
    "| key | type | required | meaning |",
    "|---|---|---|---|",
    "| `todos` | list of object | yes |  |",
    "| `todos[].status` | `open`, `done` | yes |  |",
    "| `limit` | integer 1 to 9 | default `3` | How many |",
  ])
})

test("no text can leave its cell or its block", () => {
  expect(table(["a"], [["x | y\nz"]])).toContain("| x \\| y<br>z |")
  expect(fence("```\ninside\n```")).toBe("````\n```\ninside\n```\n````")
})
