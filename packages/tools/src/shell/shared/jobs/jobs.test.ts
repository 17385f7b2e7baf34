import { spawnSync } from "node:child_process"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../test/failure.js"
import { openShellBench } from "../../../../test/shell-bench.js"
import type { ToolBench } from "../../../../test/tool-bench.js"
import { jobInput } from "../../job-input/index.js"
import { jobOutput } from "../../job-output/index.js"
import { jobStart } from "../../job-start/index.js"
import { jobStop } from "../../job-stop/index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("a job goes on after its call, each look shows what is new, and its end is told", async () => {
  bench = await openShellBench()
  const started = await bench.run(jobStart, { command: "read a; echo one $a; read b; echo two $b; exit 5" })
  expect(started.data).toMatchObject({ state: "running", output: "" })
  const { id } = started.data
  expect(started.text).toBe(`[job ${id} is running]`)

  await bench.run(jobInput, { id, text: "x\n" })
  const first = await bench.run(jobOutput, { id, wait_ms: 10_000 })
  expect(first.data).toMatchObject({ state: "running", output: "one x\n", next: 6 })
  expect(first.text).toBe(`one x\n[job ${id} is running]`)
  expect((await bench.run(jobOutput, { id })).text).toBe(`[No new output]\n[job ${id} is running]`)

  await bench.run(jobInput, { id, text: "y\n" })
  let last = await bench.run(jobOutput, { id, wait_ms: 10_000 })
  let seen = last.data.output
  while (last.data.state === "running") {
    last = await bench.run(jobOutput, { id, wait_ms: 10_000 })
    seen += last.data.output
  }
  expect(seen).toBe("two y\n")
  expect(last.data).toMatchObject({ state: "exited", exit_code: 5 })
  expect(last.text).toContain(`[job ${id} exited with code 5]`)
})

test("a filter keeps the lines that contain its text, which is no pattern", async () => {
  bench = await openShellBench()
  const { id } = (await bench.run(jobStart, { command: "sleep 0.2; printf 'a.b\\nacb\\na.b again\\n'" })).data
  let seen = ""
  for (let state = "running"; state === "running"; ) {
    const { data } = await bench.run(jobOutput, { id, filter: "a.b", wait_ms: 10_000 })
    seen += data.output
    state = data.state
  }
  expect(seen).toBe("a.b\na.b again\n")
})

test("a stopped job leaves no process", async () => {
  bench = await openShellBench()
  const { id } = (await bench.run(jobStart, { command: "echo up; sleep 52.17 & sleep 52.17" })).data
  const { data, text } = await bench.run(jobStop, { id })
  expect(data.state).toBe("stopped")
  expect(text).toContain(`[job ${id} was stopped]`)
  expect(spawnSync("pgrep", ["-fx", "sleep 52.17"]).stdout.toString()).toBe("")
})

test("the shell of a job reads no start file, though its input is open", async () => {
  bench = await openShellBench({ ".bashrc": "echo bashrc\n" })
  const started = await bench.run(jobStart, { command: "echo only" })
  const { id } = started.data
  const { data } = await bench.run(jobOutput, { id, wait_ms: 5_000 })
  expect(started.data.output + data.output).toBe("only\n")
})

test.each([
  [jobOutput, {}],
  [jobInput, { text: "x" }],
  [jobStop, {}],
])("a job that does not exist is not_found with the next step", async (tool, more) => {
  bench = await openShellBench()
  const error = await failure(bench.run(tool, { id: "job_7", ...more }))
  expect(error.code).toBe("not_found")
  expect(error.hint).toContain("job_start")
})

test("waiting ends with the call", async () => {
  bench = await openShellBench()
  const { id } = (await bench.run(jobStart, { command: "sleep 30" })).data
  const controller = new AbortController()
  const waiting = bench.run(jobOutput, { id, wait_ms: 60_000 }, { signal: controller.signal })
  setTimeout(() => controller.abort(), 100)
  expect((await failure(waiting)).code).toBe("cancelled")
})

test("what is started and what is typed is judged as a bash line; looking and stopping start nothing", () => {
  expect(jobStart.manifest.command!({ command: "npm run dev" })).toEqual({ kind: "bash", text: "npm run dev" })
  expect(jobInput.manifest.command!({ id: "job_1", text: "rm -rf .\n" })).toEqual({ kind: "bash", text: "rm -rf .\n" })
  expect(jobOutput.manifest.command).toBeUndefined()
  expect(jobStop.manifest.command).toBeUndefined()
  expect(jobOutput.manifest.polls).toBe(true)
})
