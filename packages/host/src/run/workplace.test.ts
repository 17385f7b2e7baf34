import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createProgramFinder } from "./workplace.js"

let base: string
let find: (program: string | readonly string[]) => Promise<string | undefined>
const hidden = new Set<string>()

beforeEach(async () => {
  hidden.clear()
  base = await realpath(await mkdtemp(join(tmpdir(), "haft-find-")))
  for (const folder of ["first", "second", "root"]) await mkdir(join(base, folder))
  const path = [join(base, "first"), join(base, "second")].join(delimiter)
  const finder = createProgramFinder({
    path,
    roots: [join(base, "root")],
    sandboxes: { shows: async (at) => !hidden.has(at) },
  })
  find = (program) => finder(program, { unconfined: false })
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function install(folder: string): Promise<string> {
  const place = join(base, folder, "program")
  await writeFile(place, "#!/bin/sh\n")
  await chmod(place, 0o755)
  return place
}

test("a program that was removed from its place is found in the next one, and none when that is gone too", async () => {
  const [first, second] = [await install("first"), await install("second")]
  expect(await find("program")).toBe(first)
  await rm(first)
  expect(await find("program")).toBe(second)
  await chmod(second, 0o644)
  expect(await find("program")).toBeUndefined()
})

test("a program that was not there is found once it is", async () => {
  expect(await find("program")).toBeUndefined()
  const second = await install("second")
  expect(await find("program")).toBe(second)
})

test("a place that leads into a root by now is not taken, however often it was before", async () => {
  const first = await install("first")
  expect(await find("program")).toBe(first)
  await rm(first)
  await symlink(await install("root"), first)
  expect(await find("program")).toBeUndefined()
  const second = await install("second")
  expect(await find("program")).toBe(second)
})

test("a program that the sandbox does not show is passed over for the next of its name, and then for the next name", async () => {
  const [first, second] = [await install("first"), await install("second")]
  hidden.add(first)
  expect(await find("program")).toBe(second)
  hidden.add(second)
  const other = join(base, "second", "other")
  await writeFile(other, "#!/bin/sh\n", { mode: 0o755 })
  expect(await find(["program", "other"])).toBe(other)
})

test("where the sandbox shows none, the first is found, so that it can be refused by its name", async () => {
  const [first, second] = [await install("first"), await install("second")]
  for (const each of [first, second]) hidden.add(each)
  expect(await find("program")).toBe(first)
  expect(await find(first)).toBe(first)
})
