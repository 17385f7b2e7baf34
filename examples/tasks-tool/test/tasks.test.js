import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { createHaft } from "haft"
import { tools } from "../src/index.js"

test("tasks are made, changed and deleted in a real session, and undo brings one back", async () => {
  const root = mkdtempSync(join(tmpdir(), "tasks-"))
  const haft = await createHaft({ roots: [root], home: `${root}-state`, tools })
  const session = await haft.openSession()
  const call = (name, input) => session.call(name, input, { answer: "once" })
  try {
    assert.deepEqual((await call("tasks_create", { titles: ["One", "Two"] })).data, { ids: [1, 2], total: 2 })
    assert.equal((await call("task_update", { id: 1, status: "done" })).type, "output")
    // Without an answer nobody has agreed, and headless refuses.
    assert.equal((await session.call("task_delete", { id: 2 })).metadata.error_code, "denied")
    assert.equal((await call("task_delete", { id: 2 })).data.total, 1)
    await haft.undo()
    assert.equal(JSON.parse(readFileSync(join(root, "tasks.json"), "utf8")).length, 2)
  } finally {
    await haft.close()
    rmSync(root, { recursive: true })
    rmSync(`${root}-state`, { recursive: true, force: true })
  }
})
