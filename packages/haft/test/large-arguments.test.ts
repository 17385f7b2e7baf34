import { existsSync, statSync } from "node:fs"
import type { Envelope } from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld

beforeEach(async () => {
  world = await libraryWorld({ "a.ts": "one\n" })
})

afterEach(() => world.remove())

const mayWrite = { rules: [{ permission: "fs.write", pattern: "{workspace}/**", action: "allow" }] } as const
const largestFile = 16 * 1024 * 1024

function refusal(envelope: Envelope) {
  return envelope.type === "error" ? [envelope.metadata.error_code, envelope.error_text] : [envelope.type]
}

const words = (name: string) => `Cannot call "${name}": the arguments have more than 16842752 bytes`

test("a write beyond the limit is refused before anybody is asked, and leaves a short record", async () => {
  const person = scriptedPerson({ asks: [] })
  const haft = await world.haft({ person })
  const session = await haft.openSession()
  const content = "line of text\n".repeat(4_000_000)
  expect(refusal(await session.call("write", { file_path: "big.txt", content }))).toEqual(["too_large", words("write")])
  expect(person.asked).toEqual([])
  expect(existsSync(world.path("big.txt"))).toBe(false)
  const [record] = await (await haft.store()).calls(session.id)
  expect(record!.rawArguments).toEqual({
    file_path: "big.txt",
    content: `${content.slice(0, 2000)}… (52000000 characters)`,
  })
  expect(JSON.stringify(record).length).toBeLessThan(10_000)
})

test("bytes count, not characters; the largest file that may be written is written", async () => {
  const session = await (await world.haft(mayWrite)).openSession()
  const three = "日".repeat(largestFile / 3 + 40_000)
  expect(refusal(await session.call("write", { file_path: "b", content: three }))[0]).toBe("too_large")
  const four = "😀".repeat(largestFile / 4 + 40_000)
  expect(refusal(await session.call("write", { file_path: "b", content: four }))[0]).toBe("too_large")
  expect(existsSync(world.path("b"))).toBe(false)
  const largest = "é".repeat(largestFile / 2)
  expect(refusal(await session.call("write", { file_path: "b", content: largest }))).toEqual(["output"])
  expect(statSync(world.path("b")).size).toBe(largestFile)
})

test("every tool, every way to send arguments, and explain", async () => {
  const haft = await world.haft(mayWrite)
  const session = await haft.openSession()
  const long = "x".repeat(largestFile + 70_000)
  const half = "x".repeat(largestFile / 2 + 70_000)
  const edit = { file_path: "a.ts", old_string: half, new_string: `${half}y` }
  expect(refusal(await session.call("edit", edit))).toEqual(["too_large", words("edit")])
  const todos = [{ content: long, status: "pending" as const }]
  expect(refusal(await session.call("todo", { todos }))).toEqual(["too_large", words("todo")])
  const text = JSON.stringify({ file_path: "b", content: long })
  expect(refusal(await session.call("write", text as never))).toEqual(["too_large", words("write")])
  const unknown = await session.call("write", { file_path: "b", text: long } as never)
  expect(refusal(unknown)[0]).toBe("too_large")
  await expect(session.explain("write", { file_path: "b", content: long })).rejects.toMatchObject({ code: "too_large" })
  const { projection } = await session.callIn((await dialectNamed("claw"))!, "write_file", { path: "b", content: long })
  expect(projection.text).toContain(words("write_file"))
  for (const record of await (await haft.store()).calls(session.id)) {
    expect(JSON.stringify(record).length).toBeLessThan(20_000)
  }
})

test("a value that leads back to itself is refused as what it is", async () => {
  const session = await (await world.haft()).openSession()
  const circle: Record<string, unknown> = { file_path: "a.ts" }
  circle.self = { circle: [circle] }
  expect(refusal(await session.call("read", circle as never))[0]).toBe("invalid_args")
})
