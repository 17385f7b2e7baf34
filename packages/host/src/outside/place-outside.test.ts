import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { ObservedEffect, SandboxedCall } from "@haft/contract"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { undoEffects } from "../undo/restore/undo-effects.js"
import { placeOutside } from "./place-outside.js"
import { type StageRequest, stageOutside } from "./stage-outside.js"

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-place-")))
  for (const folder of ["workspace", "session", "out"]) mkdirSync(join(base, folder))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

interface Step {
  readonly do: "write" | "mkdir" | "remove" | "link" | "move"
  readonly at: string
  readonly to: string
  readonly text: string
  readonly mode: number
}

const name = fc.constantFrom("a", "b", "c", "d")
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"))
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom("write", "mkdir", "remove", "link", "move"),
  at: path,
  to: path,
  text: fc.string({ maxLength: 8 }),
  mode: fc.constantFrom(0o644, 0o755, 0o600),
})

/** Does what it can; what a real program could not do either is left out. */
function take(folder: string, one: Step): void {
  const at = join(folder, one.at)
  try {
    if (one.do === "remove") rmSync(at, { recursive: true })
    else if (one.do === "move") renameSync(at, join(folder, one.to))
    else if (one.do === "link") symlinkSync(one.to, at)
    else if (one.do === "mkdir") mkdirSync(at, { mode: one.mode | 0o700 })
    else {
      if (existsSync(dirname(at)) && lstatSync(dirname(at)).isSymbolicLink()) return
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return
      writeFileSync(at, one.text)
      chmodSync(at, one.mode)
    }
  } catch {
    // Not possible there.
  }
}

function treeOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const found: Record<string, string> = {}
  const look = (below: string) => {
    const facts = lstatSync(folder + below)
    const mode = (facts.mode & 0o777).toString(8)
    if (facts.isSymbolicLink()) found[below] = `-> ${readlinkSync(folder + below)}`
    else if (facts.isFile()) found[below] = `${mode} ${readFileSync(folder + below, "latin1")}`
    else {
      found[below] = mode
      for (const each of readdirSync(folder + below)) look(`${below}/${each}`)
    }
  }
  look("")
  return found
}

function stageRequest(writes: StageRequest["writes"]): StageRequest {
  return {
    writes,
    bounds: { inside: [], hidden: [], roots: [join(base, "workspace")], home: "/nonexistent" },
    folder: join(base, "session", "outside"),
    identity: { kind: process.getuid?.() === 0 ? "root" : "self", uid: 0, gid: 0 } as StageRequest["identity"],
    targets: [],
    home: undefined,
    denies: () => false,
    mayRead: () => false,
    isShown: () => false,
    signal: new AbortController().signal,
  }
}

async function place(staged: Awaited<ReturnType<typeof stageOutside>>, effects: ObservedEffect[]) {
  const call = {
    grant: { admits: () => true, denies: () => false, mayKeep: () => true },
    observe: (effect: ObservedEffect) => void effects.push(effect),
  } as unknown as SandboxedCall
  const folders = { historyFolder: join(base, "history"), scratchFolder: join(base, "session/scratch") }
  return placeOutside({ staged: staged!, call, ...folders, root: join(base, "workspace"), owner: undefined })
}

const undo = (effects: readonly ObservedEffect[]) =>
  undoEffects(effects, { historyFolder: join(base, "history"), roots: [join(base, "workspace")] })

test("what was made of a copy is what is there, and after an undo what was there is there again", async () => {
  let changed = 0
  const steps = fc.array(step, { maxLength: 8 })
  const sample = fc.asyncProperty(fc.boolean(), steps, steps, async (isThere, first, then) => {
    const top = join(base, "out", "d")
    rmSync(top, { recursive: true, force: true })
    if (isThere) mkdirSync(top)
    if (isThere) for (const one of first) take(top, one)
    const former = treeOf(top)
    const kinds = ["fs.write", "fs.delete"] as const
    const staged = await stageOutside(stageRequest(kinds.map((kind) => ({ kind, path: top, absolute: top }))))
    const copy = join(staged!.folders[0]!.copy, "d")
    expect(treeOf(copy)).toEqual(former)
    if (!isThere) mkdirSync(copy)
    for (const one of then) take(copy, one)
    const wanted = treeOf(copy)
    const effects: ObservedEffect[] = []
    const { notes } = await place(staged, effects)
    expect(notes).toEqual([])
    expect(treeOf(top)).toEqual(wanted)
    await staged!.dispose()
    if (JSON.stringify(wanted) === JSON.stringify(former)) return
    changed += 1
    expect(effects.length).toBeGreaterThan(0)
    await undo(effects)
    expect(treeOf(top)).toEqual(former)
  })
  await fc.assert(sample, { numRuns: 100 })
  expect(changed).toBeGreaterThan(40)
})

test("a file that is too large for the history of contents is kept and comes back", async () => {
  const top = join(base, "out", "large")
  writeFileSync(top, Buffer.alloc(70 * 1024 * 1024, "x"), { mode: 0o640 })
  const staged = await stageOutside(stageRequest([{ kind: "fs.write", path: top, absolute: top }]))
  writeFileSync(join(staged!.folders[0]!.copy, "large"), "small")
  const effects: ObservedEffect[] = []
  expect(await place(staged, effects)).toMatchObject({ written: [top], notes: [] })
  expect(readFileSync(top, "utf8")).toBe("small")
  await undo(effects)
  expect([lstatSync(top).size, lstatSync(top).mode & 0o777]).toEqual([70 * 1024 * 1024, 0o640])
})

test("new content has none of the set-user-id and set-group-id bits of the old one, which undo brings back", async () => {
  const top = join(base, "out", "tool")
  writeFileSync(top, "old")
  chmodSync(top, 0o6755)
  const staged = await stageOutside(stageRequest([{ kind: "fs.write", path: top, absolute: top }]))
  writeFileSync(join(staged!.folders[0]!.copy, "tool"), "new")
  const effects: ObservedEffect[] = []
  expect(await place(staged, effects)).toMatchObject({ written: [top], notes: [] })
  expect([readFileSync(top, "utf8"), lstatSync(top).mode & 0o7777]).toEqual(["new", 0o755])
  await undo(effects)
  expect([readFileSync(top, "utf8"), lstatSync(top).mode & 0o7777]).toEqual(["old", 0o6755])
})
