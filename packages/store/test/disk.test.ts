import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { openStore } from "../src/index.js"
import { sampleCall, sampleRedactor, sampleSession } from "./samples.js"

let folder: string | undefined

afterEach(() => {
  if (folder === undefined) return
  // Lazily: SQLite keeps a file open until its last statement is collected.
  execFileSync("umount", ["-l", folder])
  rmSync(folder, { recursive: true, force: true })
  folder = undefined
})

test("a full disk is a typed error; what was reported stays, and the journal goes on once there is room", async (context) => {
  const location = mountDisk("size=600k") ?? context.skip("there is no right to mount a small disk")
  const store = await openStore({ location, redact: sampleRedactor })
  const session = sampleSession()
  await store.createSession(session)
  const lease = await store.claim(session.id)
  const settled: string[] = []
  const failure = await (async () => {
    for (;;) {
      const call = sampleCall(session.id, { rawArguments: { text: "x".repeat(20_000) } })
      await store.settle(call)
      settled.push(call.callId)
    }
  })().catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: "ToolError", code: expect.stringMatching(/^(?:unavailable|backend)$/) })
  expect((failure as Error).message).toContain("Cannot write to the journal")
  await expect(lease.release()).rejects.toMatchObject({
    name: "ToolError",
    message: expect.stringContaining("Cannot write to the journal"),
  })
  execFileSync("mount", ["-o", "remount,size=20m", folder!])
  const call = sampleCall(session.id)
  await store.settle(call)
  expect((await store.calls(session.id)).map((found) => found.callId)).toEqual([...settled, call.callId])
  expect(await store.verify(session.id)).toMatchObject({ ok: true, parts: settled.length + 1 })
  await lease.release()
  await store.close()
})

test("a read-only disk is a typed error", async (context) => {
  const location = mountDisk("ro") ?? context.skip("there is no right to mount a read-only disk")
  await expect(openStore({ location, redact: sampleRedactor })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("read-only"),
  })
})

/** A journal's path on a disk of its own, or undefined where that is not allowed. */
function mountDisk(option: string): string | undefined {
  const place = mkdtempSync(join(tmpdir(), "haft-disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", option, "tmpfs", place], { stdio: "ignore" })
  } catch {
    rmSync(place, { recursive: true, force: true })
    return undefined
  }
  folder = place
  return join(place, "journal.db")
}
