import * as fc from "fast-check"
import { expect, test } from "vitest"
import { parseStatus } from "./parse-status.js"

test("upstream and distance are read from the headers", () => {
  const output = "# branch.oid abc\0# branch.head main\0# branch.upstream origin/main\0# branch.ab +2 -1\0"
  expect(parseStatus(output)).toEqual({
    ...{ branch: "main", commit: "abc", upstream: "origin/main", ahead: 2, behind: 1 },
    entries: [],
  })
})

test("any name comes back whole, in each kind of entry", () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !text.includes("\0"))
  const ids = "N... 100644 100644 100644 abc def"
  fc.assert(
    fc.property(name, name, (path, from) => {
      const output = [
        "# branch.oid (initial)",
        "# branch.head (detached)",
        `1 .M ${ids} ${path}`,
        `2 R. ${ids} R100 ${path}`,
        from,
        `u UU N... 100644 100644 100644 100644 abc def abc ${path}`,
        `? ${path}`,
        "",
      ].join("\0")
      expect(parseStatus(output)).toEqual({
        ...{ branch: null, commit: null },
        entries: [
          { path, state: " M" },
          { path, state: "R ", from },
          { path, state: "UU" },
          { path, state: "??" },
        ],
      })
    }),
  )
})

test("no text makes it throw", () => {
  fc.assert(fc.property(fc.string(), (output) => void parseStatus(output)))
})
