import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { programForNobody } from "../../../test/as-nobody.js"
import { backendsHere } from "../../sandbox/testing/installed.js"
import { type ObservedSession, openObservedSession } from "./testing/observed-session.js"

/** Puts a link in the place of a folder and takes it away again, as fast as it can: ROOT OLD LINK. */
const swapper = `
const { renameSync } = require("node:fs")
const [root, old, link] = process.argv.slice(1)
process.stdout.write("ready")
const pause = () => { for (const end = performance.now() + Math.random() * 4; performance.now() < end; ); }
for (;;) {
  renameSync(root, old); renameSync(link, root); pause()
  renameSync(root, link); renameSync(old, root); pause()
}`

describe.each(backendsHere)("a root that another directory took the place of, behind %s", (backend) => {
  let elsewhere: string
  let session: ObservedSession
  beforeEach(async () => {
    elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "haft-elsewhere-")))
    writeFileSync(join(elsewhere, "file"), "secret\n")
    session = await openObservedSession(backend)
    writeFileSync(join(session.root, "file"), "mine\n")
  })
  afterEach(async () => {
    if (existsSync(`${session.root}-old`)) {
      rmSync(session.root, { recursive: true, force: true })
      renameSync(`${session.root}-old`, session.root)
    }
    await session.close()
    rmSync(elsewhere, { recursive: true, force: true })
  })

  const replaceBy = {
    "a link": () => symlinkSync(elsewhere, session.root),
    "another folder": () => execFileSync("cp", ["-a", elsewhere, session.root]),
  }
  const looks = { profile: "read-only" } as const

  test.each(["a link", "another folder"] as const)("%s: nothing is run in it", async (by) => {
    // The third of its kind would have a sandbox that was started ahead.
    for (let round = 0; round < 2; round += 1)
      expect((await session.run("cat file", {}, looks)).stdout.text).toBe("mine\n")
    await new Promise((resolve) => setTimeout(resolve, 200))
    renameSync(session.root, `${session.root}-old`)
    replaceBy[by]()
    const replaced = { code: "conflict", message: expect.stringContaining(`the root "${session.root}" was replaced`) }
    await expect(session.run("cat file", {}, looks)).rejects.toMatchObject(replaced)
    await expect(session.run("cat file; echo x > new")).rejects.toMatchObject(replaced)
    await expect(session.runJob("cat file")).rejects.toMatchObject(replaced)
    await expect(session.evaluate("cat file")).rejects.toMatchObject(replaced)
  })

  test("an interpreter and a job that run already stay in the directory that it was", async () => {
    expect((await session.evaluate("cat file")).stdout.text).toBe("mine\n")
    renameSync(session.root, `${session.root}-old`)
    symlinkSync(elsewhere, session.root)
    const { stdout, stderr } = await session
      .evaluate("cat file")
      .catch((error) => ({ stdout: { text: "" }, stderr: error }))
    expect([stdout.text, String(stderr)]).not.toContain("secret\n")
  })

  test("exchanged again and again while sandboxes are built: nothing of the other one is ever shown", async () => {
    const aside = `${session.root}-link`
    symlinkSync(elsewhere, aside)
    const child = spawn(process.execPath, ["-e", swapper, session.root, `${session.root}-old`, aside], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    try {
      await new Promise((resolve) => child.stdout!.once("data", resolve))
      const outcomes: string[] = []
      for (let round = 0; round < 40; round += 1) {
        const call = round % 2 === 0 ? looks : undefined
        const end = await session.run("cat file; pwd -P >/dev/null", {}, call).catch((error: Error) => error)
        outcomes.push("stdout" in end ? end.stdout.text : end.message)
      }
      expect(outcomes.filter((text) => text.includes("secret"))).toEqual([])
      expect(outcomes).toContain("mine\n")
    } finally {
      const gone = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGKILL")
      await gone
    }
  })
})

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("not tested here: becoming another user needs user 0")

test.skipIf(!isRoot).each(backendsHere)(
  "as an ordinary user, behind %s, a replaced root is refused too",
  async (backend) => {
    const program = await programForNobody(new URL("./testing/run-observed.ts", import.meta.url))
    try {
      const swap = 'host mv "$1" "$1-old" && ln -s /etc "$1"'
      const back = 'host rm "$1" && mv "$1-old" "$1"'
      const lines = ["echo mine > file; cat file", swap, "cat passwd", "job cat passwd", "repl cat passwd"]
      const results = (await program.run(backend, ...lines, back, "cat file")) as {
        error?: string
        stdout?: { text: string }
      }[]
      expect(results[0]?.stdout?.text).toBe("mine\n")
      for (const refused of results.slice(2, 5))
        expect(refused.error).toContain("was replaced since the session was opened")
      expect(results.at(-1)?.stdout?.text).toBe("mine\n")
    } finally {
      program.remove()
    }
  },
)
