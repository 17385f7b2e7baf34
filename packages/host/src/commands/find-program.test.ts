import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createProgramFinder } from "./find-program.js"

let base: string
let find: (program: string) => Promise<string | undefined>

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "haft-find-")))
  for (const folder of ["first", "second", "root"]) await mkdir(join(base, folder))
  const path = [join(base, "first"), join(base, "second")].join(delimiter)
  find = createProgramFinder({ path, roots: [join(base, "root")] })
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
