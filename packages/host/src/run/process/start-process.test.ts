import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { hasNamespaces } from "./testing/test-sandboxes.js"
import { processesWith } from "./testing/test-session.js"

const runner = fileURLToPath(new URL("../../../../../scripts/run-ts.mjs", import.meta.url))
const program = fileURLToPath(new URL("./testing/run-and-wait.ts", import.meta.url))

const sandboxes = [
  ["plain", process.platform === "linux"],
  ["namespace", hasNamespaces],
] as const

/** A test for each way to start commands; one that is not here is skipped by name. */
function testEach(title: string, run: (sandbox: string) => Promise<void>): void {
  for (const [sandbox, canRun] of sandboxes) test.skipIf(!canRun)(`${title}: ${sandbox}`, () => run(sandbox))
}

testEach("nothing is left when Haft itself is killed", async (sandbox) => {
  const tag = `134.${process.pid}`
  const command = `setsid sleep ${tag} & nohup sleep ${tag} & trap '' TERM HUP; sleep ${tag}; sleep ${tag}`
  const child = spawn(process.execPath, [runner, program, sandbox, command], { stdio: ["ignore", "pipe", "inherit"] })
  await once(child.stdout, "data")
  await until(() => sleepers(tag).length === 3)
  child.kill("SIGKILL")
  await until(() => sleepers(tag).length === 0)
})

testEach("nor when it is killed while the command starts", async (sandbox) => {
  const tag = `135.${process.pid}`
  for (let round = 0; round < 5; round += 1) {
    const child = spawn(process.execPath, [runner, program, sandbox, `sleep ${tag}; true`, "at-once"], {
      stdio: "ignore",
    })
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"])
  }
  await until(() => processesWith(tag).length === 0)
})

test.skipIf(process.platform !== "linux")("the one watcher holds nothing open, and ends with Haft", async () => {
  const command = `sleep 136.${process.pid}`
  const stdio = ["ignore", "pipe", "inherit", "pipe"] as const
  const child = spawn(process.execPath, [runner, program, "plain", command], { stdio: [...stdio] })
  await once(child.stdout!, "data")
  const watchers = processesWith("trap '' HUP INT QUIT TERM").filter((pid) => parentOf(pid) === child.pid)
  expect(watchers).toHaveLength(1)
  const [watcher] = watchers
  const opened = readdirSync(`/proc/${watcher}/fd`).map((name) => readlinkSync(`/proc/${watcher}/fd/${name}`))
  expect(opened.filter((place) => place !== "/dev/null")).toEqual([expect.stringMatching(/^socket:/)])
  child.kill("SIGKILL")
  await until(() => !processesWith("trap '' HUP INT QUIT TERM").includes(watcher!))
})

function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1])
}

/** Not the programs that merely name the command in their arguments. */
function sleepers(tag: string): readonly number[] {
  return processesWith(`sleep\0${tag}`)
}

/** A busy machine takes its time, but less than what is looked for would sleep. */
async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 30_000
  while (!condition() && Date.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(condition()).toBe(true)
}
