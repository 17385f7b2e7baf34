import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, textOf } from "../../../test/file-ground.js"

const places = ["d/f", "l/f", "d/sub/f", "l/sub/f"]
const writtenPlaces = [...places, "l/new/f"]

// Only the walk by descriptors promises this; elsewhere a swap is detected, not prevented.
describe.skipIf(process.platform !== "linux")("against a process that swaps a directory for a link out", () => {
  let ground: FileGround
  let swapper: ChildProcess
  beforeEach(async () => {
    ground = createFileGround()
    mkdirSync(join(ground.root, "d/sub"), { recursive: true })
    mkdirSync(join(ground.outside, "sub"))
    mkdirSync(join(ground.root, "s/sub"), { recursive: true })
    for (const path of ["f", "sub/f"]) {
      writeFileSync(join(ground.root, "s", path), "inside")
      writeFileSync(join(ground.root, "d", path), "inside")
      writeFileSync(join(ground.outside, path), "outside")
    }
    const script = join(import.meta.dirname, "../../../test/child/swap.mjs")
    swapper = spawn(process.execPath, [script, ground.root, ground.outside], { stdio: ["ignore", "pipe", "inherit"] })
    await once(swapper.stdout!, "data")
  })
  afterEach(async () => {
    const ended = once(swapper, "exit")
    swapper.kill("SIGKILL")
    await ended
    ground.close()
  })

  test("none of 40,000 reads escapes", async () => {
    const files = ground.files()
    const seen = new Map<string, number>()
    const read = async (path: string) => {
      const outcome = await files.open(path).then(({ whole }) => textOf(whole), codeOf)
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    }
    for (let round = 0; round < 400; round++) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => read(places[index % places.length]!)))
    }
    expect(seen.has("outside")).toBe(false)
    // The race took place: some reads went through, some met the link out.
    expect(seen.get("inside")).toBeGreaterThan(0)
    expect(seen.get("denied")).toBeGreaterThan(0)
  }, 120_000)

  test("none of 5,000 writes escapes", async () => {
    const files = ground.files()
    let written = 0
    for (let round = 0; round < 5000; round++) {
      const path = writtenPlaces[round % writtenPlaces.length]!
      const outcome = await files.write(path, bytes(`written ${round}`)).then(() => "written", codeOf)
      if (outcome === "written") written++
    }
    expect(written).toBeGreaterThan(0)
    expect(readFileSync(join(ground.outside, "f"), "utf8")).toBe("outside")
    expect(readFileSync(join(ground.outside, "sub/f"), "utf8")).toBe("outside")
    expect(readdirSync(ground.outside).sort()).toEqual(["f", "sub"])
    expect(readdirSync(join(ground.outside, "sub"))).toEqual(["f"])
  }, 120_000)

  test("none of 1,200 moves, removals and writes escapes", async () => {
    const files = ground.files()
    let done = 0
    for (let round = 0; round < 300; round++) {
      const path = places[round % places.length]!
      const folder = ["d", "l", "d/sub", "l/sub"][round % 4]!
      const steps = [
        () => files.move(path, `moved-${round}`),
        () => files.move(`moved-${round}`, `${folder}/new-${round}/f`),
        () => files.remove(`${folder}/new-${round}/f`),
        () => files.write(path, bytes("again")),
      ]
      for (const step of steps) if ((await step().then(() => "done", codeOf)) === "done") done++
    }
    expect(done).toBeGreaterThan(0)
    expect(readFileSync(join(ground.outside, "f"), "utf8")).toBe("outside")
    expect(readFileSync(join(ground.outside, "sub/f"), "utf8")).toBe("outside")
    expect(readdirSync(ground.outside).sort()).toEqual(["f", "sub"])
    expect(readdirSync(join(ground.outside, "sub"))).toEqual(["f"])
    // Nothing from outside came in either.
    for (const name of readdirSync(ground.root)) {
      if (name.startsWith("moved-")) expect(readFileSync(join(ground.root, name), "utf8")).not.toBe("outside")
    }
  }, 120_000)

  test("none of 600 moves of a folder escapes", async () => {
    const files = ground.files()
    let done = 0
    for (let round = 0; round < 200; round++) {
      mkdirSync(join(ground.root, `t${round}/sub`), { recursive: true })
      const folder = ["d", "l", "d/sub", "l/sub"][round % 4]!
      const steps = [
        () => files.move(`t${round}`, `${folder}/t`),
        () => files.move(`${folder}/t`, `back-${round}`),
        () => files.move("l/sub", `out-${round}`),
      ]
      for (const step of steps) if ((await step().then(() => "done", codeOf)) === "done") done++
    }
    expect(done).toBeGreaterThan(0)
    expect(readdirSync(ground.outside).sort()).toEqual(["f", "sub"])
    expect(readdirSync(join(ground.outside, "sub"))).toEqual(["f"])
  }, 120_000)
})

function codeOf(error: unknown): string {
  if (ToolError.is(error) && error.code !== "internal") return error.code
  throw error
}
