import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { move } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const run = (moves: readonly (readonly [from: string, to: string])[], options?: Parameters<ToolBench["run"]>[2]) =>
  bench.run(move, { moves: moves.map(([from, to]) => ({ from, to })) }, options)
const at = (path: string) => join(bench.workspace.path, path)

test("moves are made in order, and later ones see what earlier ones did", async () => {
  bench = await openBench({ a: "a", b: "b", "d/x": "x" })
  const { data, text } = await run([
    ["b", "c"],
    ["a", "b"],
    ["d", "e"],
    ["e/x", "d"],
  ])
  expect(data.moved).toHaveLength(4)
  expect(text).toBe("Moved b to c\nMoved a to b\nMoved d to e\nMoved e/x to d")
  expect(await bench.workspace.readText("b")).toBe("a")
  expect(await bench.workspace.readText("c")).toBe("b")
  expect(await bench.workspace.readText("d")).toBe("x")
})

test("each move names what it reads, deletes and writes", () => {
  const effects = move.manifest.effects({ moves: [{ from: "a", to: "b" }] })
  expect(effects).toEqual([
    { kind: "fs.read", path: "a" },
    { kind: "fs.delete", path: "a" },
    { kind: "fs.write", path: "b" },
  ])
})

test.each([
  [
    "a missing file",
    "not_found",
    [
      ["a", "x"],
      ["nothing", "y"],
    ],
  ],
  [
    "a place that is taken",
    "conflict",
    [
      ["a", "x"],
      ["b", "d"],
    ],
  ],
  [
    "a link in the way",
    "conflict",
    [
      ["a", "x"],
      ["b", "link"],
    ],
  ],
  [
    "the same target twice",
    "invalid_args",
    [
      ["a", "x"],
      ["b", "./x"],
    ],
  ],
  [
    "the same file twice",
    "invalid_args",
    [
      ["a", "x"],
      ["a", "y"],
    ],
  ],
  [
    "a folder into itself",
    "invalid_args",
    [
      ["a", "x"],
      ["d", "d/e"],
    ],
  ],
  [
    "a file to its own place",
    "invalid_args",
    [
      ["a", "x"],
      ["b", "b"],
    ],
  ],
  [
    "a chain in the wrong order",
    "conflict",
    [
      ["a", "b"],
      ["b", "c"],
    ],
  ],
  [
    "a path outside",
    "denied",
    [
      ["a", "x"],
      ["b", "../y"],
    ],
  ],
  [
    "the workspace itself",
    "invalid_args",
    [
      ["a", "x"],
      [".", "y"],
    ],
  ],
  [
    "an empty name behind a slash",
    "unsupported",
    [
      ["a", "x"],
      ["b", "new/"],
    ],
  ],
] as const)("%s: nothing is moved", async (_, code, moves) => {
  bench = await openBench({ a: "a", b: "b", "d/x": "x" })
  symlinkSync("a", at("link"))
  const error = await failure(run(moves))
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(/nothing was moved|taken back/)])
  expect(await bench.workspace.readText("a")).toBe("a")
  expect(await bench.workspace.readText("b")).toBe("b")
  expect(existsSync(at("x"))).toBe(false)
})

test("a failure in the middle moves everything back and says so, new folders included", async () => {
  bench = await openBench({ a: "a", b: "b", "d/x": "x", c: "c" })
  const grant = {
    admits: (kind: string, path: string) => !(kind === "fs.write" && path.endsWith("forbidden")),
    mayKeep: () => true,
  }
  const { effects } = await run([["c", "k"]])
  expect(effects.map(({ kind }) => kind)).toEqual(["fs.delete", "fs.write"])
  const moves = [
    ["a", "new/deep/a"],
    ["d", "new/d"],
    ["b", "new/forbidden"],
  ] as const
  const error = await failure(run(moves, { grant }))
  expect([error.code, error.message]).toEqual([
    "denied",
    expect.stringContaining("the 2 moves before it were taken back"),
  ])
  expect(error.message).toContain("move 3 of 3")
  expect(await bench.workspace.readText("a")).toBe("a")
  expect(await bench.workspace.readText("d/x")).toBe("x")
  expect(existsSync(at("new"))).toBe(false)
})

test("what cannot be moved back is named", async () => {
  bench = await openBench({ a: "a", b: "b" })
  let moved = 0
  const grant = {
    admits: (kind: string, path: string) => {
      if (kind !== "fs.write") return true
      if (path.endsWith("/x")) {
        // Somebody puts a new file at the old place while the second move is tried.
        moved += 1
        return true
      }
      if (path.endsWith("/y") && moved > 0) writeFileSync(at("a"), "new")
      return !path.endsWith("/y")
    },
    mayKeep: () => true,
  }
  const error = await failure(
    run(
      [
        ["a", "x"],
        ["b", "y"],
      ],
      { grant },
    ),
  )
  expect(error.message).toContain('these could not be moved back: "x"')
  expect(await bench.workspace.readText("x")).toBe("a")
  expect(await bench.workspace.readText("a")).toBe("new")
})

test("from 1 to 100 moves", async () => {
  bench = await openBench({})
  mkdirSync(at("m"))
  for (let index = 0; index < 101; index++) writeFileSync(at(`m/${index}`), "")
  const moves = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ from: `m/${index}`, to: `n/${index}` }))
  expect(move.manifest.input.safeParse({ moves: [] }).success).toBe(false)
  expect(move.manifest.input.safeParse({ moves: moves(101) }).success).toBe(false)
  expect((await bench.run(move, { moves: moves(100) })).data.moved).toHaveLength(100)
})
