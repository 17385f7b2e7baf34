import { expect, test } from "vitest"
import { jobData, jobText } from "./job-data.js"

const running = { id: "job_1", label: "x", state: "running", output: "", next: 0, lostBytes: 0 } as const

const shown = (view: Parameters<typeof jobData>[0]) => ({
  text: jobText(jobData(view))
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n"),
})

test("readiness, lost output and every kind of end are said", () => {
  expect(shown({ ...running, ready: true })).toMatchObject({
    text: "[No new output]\n[job job_1 is running and ready]",
  })
  expect(shown({ ...running, ready: false })).toMatchObject({ text: "[No new output]\n[job job_1 is not ready yet]" })
  expect(shown({ ...running, output: "b\n", lostBytes: 9 })).toMatchObject({
    text: "[9 bytes before this are no longer kept]\nb\n[job job_1 is running]",
  })
  const ended = { ...running, state: "exited" } as const
  expect(shown({ ...ended, exitCode: 0 })).toMatchObject({ text: "[No new output]\n[job job_1 exited with code 0]" })
  expect(shown({ ...ended, exitCode: null, signal: "SIGSEGV" })).toMatchObject({
    text: "[No new output]\n[job job_1 was ended by SIGSEGV]",
  })
  expect(shown({ ...ended, exitCode: 0, quarantined: ["A was moved", "B was moved"] })).toMatchObject({
    text: "[No new output]\n[job job_1 exited with code 0; A was moved; B was moved]",
  })
  expect(shown({ ...ended, exitCode: null })).toMatchObject({ text: "[No new output]\n[job job_1 ended]" })
})

test("output is shown as a terminal would show it", () => {
  expect(shown({ ...running, output: "\x1b[1mbold\x1b[0m\n1%\r2%\n" }).text).toBe("bold\n2%\n[job job_1 is running]")
  expect(shown({ ...running, output: "\x1b[8mhidden\n" }).text).toContain("hidden on a terminal")
})
