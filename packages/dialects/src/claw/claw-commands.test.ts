import { rowNamed } from "@haft/runtime"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { output } from "../../test/dialect-bench.js"
import { claw } from "./claw.js"
import { cutStream } from "./command-value.js"

const isolation = { level: "namespaces", network: "none", notes: [] }
const end = { stdout: "", stderr: "", exit_code: 0, timed_out: false, isolation }
const value = (data: object, input: object, rest = {}, name = "bash") =>
  JSON.parse(claw.project(output(data, rest), rowNamed(claw, name), { command: "x", ...input }).value as string)

test.each(["bash", "PowerShell"])("%s: every field in its order, null where it does not apply", (name) => {
  const data = { ...end, stdout: "out\n", stderr: "err\n", exit_code: 3 }
  const result = value(data, {}, {}, name)
  expect(Object.entries(result).slice(0, -1)).toEqual([
    ["stdout", "out\n"],
    ["stderr", "err\n"],
    ["rawOutputPath", null],
    ["interrupted", false],
    ["isImage", null],
    ["backgroundTaskId", null],
    ["backgroundedByUser", null],
    ["assistantAutoBackgrounded", null],
    ["dangerouslyDisableSandbox", null],
    ["returnCodeInterpretation", "exit_code:3"],
    ["noOutputExpected", false],
    ["structuredContent", null],
    ["persistedOutputPath", null],
    ["persistedOutputSize", null],
  ])
  expect(result.sandboxStatus).toMatchObject({ enabled: true, active: true, network_active: true })
})

test("silence is expected, success needs no interpretation, a signal has one", () => {
  expect(value(end, {})).toMatchObject({ noOutputExpected: true, returnCodeInterpretation: null })
  const killed = value({ ...end, exit_code: null, signal: "SIGKILL" }, {})
  expect(killed).toMatchObject({ interrupted: false, returnCodeInterpretation: "signal:SIGKILL" })
})

describe("a command that took too long is a result", () => {
  const late = { ...end, stdout: "begun", stderr: "warned", exit_code: null, timed_out: true }

  test("it is interrupted, and says for what limit", () => {
    const result = value(late, { command: "sleep 9", timeout: 50 })
    expect(result).toMatchObject({
      stdout: "begun",
      stderr: "warned\nCommand exceeded timeout of 50 ms",
      interrupted: true,
      returnCodeInterpretation: "timeout",
    })
    expect(result.structuredContent).toEqual([
      {
        event: "command.timeout",
        failureClass: "timeout",
        data: { command: "sleep 9", timeoutMs: 50, provenance: "bash.timeout", classification: "timeout" },
      },
    ])
  })

  test.each(["npm  test", "cd a && cargo test -q", "PYTEST x", "yarn test"])("%j is a test that hung", (command) => {
    const result = value(late, { command })
    expect(result.returnCodeInterpretation).toBe("test.hung")
    expect(result.structuredContent[0]).toMatchObject({ event: "test.hung", failureClass: "test_hang" })
  })
})

test("a job has an id, no output and no sandbox to speak of yet", () => {
  const data = { id: "job_1", state: "running", output: "", next: 0 }
  expect(value(data, { run_in_background: true, dangerouslyDisableSandbox: false })).toMatchObject({
    stdout: "",
    backgroundTaskId: "job_1",
    backgroundedByUser: false,
    assistantAutoBackgrounded: false,
    dangerouslyDisableSandbox: false,
    noOutputExpected: true,
    interrupted: false,
    sandboxStatus: null,
  })
})

test("the sandbox: what was asked for beside what held, and nothing more than that", () => {
  const wish = { dangerouslyDisableSandbox: true, isolateNetwork: true, filesystemMode: "off", allowedMounts: ["/x"] }
  expect(value(end, wish)).toMatchObject({ dangerouslyDisableSandbox: false })
  const unconfined = { ...end, isolation: { ...end.isolation, level: "none" } }
  expect(value(unconfined, wish)).toMatchObject({ dangerouslyDisableSandbox: true })
  expect(value(end, wish).sandboxStatus).toEqual({
    enabled: true,
    requested: {
      enabled: false,
      namespace_restrictions: true,
      network_isolation: true,
      filesystem_mode: "off",
      allowed_mounts: ["/x"],
    },
    supported: true,
    active: true,
    namespace_supported: true,
    namespace_active: true,
    network_supported: true,
    network_active: true,
    filesystem_mode: "workspace-only",
    filesystem_active: true,
    allowed_mounts: [],
    in_container: false,
    container_markers: [],
    fallback_reason: "dangerouslyDisableSandbox was not followed: only the person can let a command run unconfined",
  })
  const none = value({ ...end, isolation: { level: "none", network: "host", notes: ["no backend"] } }, {})
  expect(none.sandboxStatus).toMatchObject({
    enabled: false,
    active: false,
    network_active: false,
    filesystem_mode: "off",
    fallback_reason: "the command ran outside the sandbox; no backend",
  })
})

test("the file with the whole output is named", () => {
  const result = value(end, {}, { metadata: { truncated: true, output_path: "/out/1" } })
  expect(result.persistedOutputPath).toBe("/out/1")
})

describe("a stream keeps 16384 bytes", () => {
  const notice = "\n\n[output truncated — exceeded 16384 bytes]"

  test("up to there it is whole, beyond it is cut with a notice", () => {
    expect(cutStream("a".repeat(16_384))).toBe("a".repeat(16_384))
    expect(cutStream("a".repeat(16_385))).toBe("a".repeat(16_384) + notice)
    expect(cutStream("é".repeat(8_193))).toBe("é".repeat(8_192) + notice)
    expect(cutStream(`a${"😀".repeat(5_000)}`)).toBe(`a${"😀".repeat(4_095)}${notice}`)
  })

  test("what is left is a beginning of the text, without half characters", () => {
    const text = fc.string({ unit: "grapheme", minLength: 10, maxLength: 60 }).map((piece) => piece.repeat(700))
    fc.assert(
      fc.property(text, (stream) => {
        const cut = cutStream(stream)
        const head = cut.endsWith(notice) ? cut.slice(0, -notice.length) : cut
        expect(stream.startsWith(head)).toBe(true)
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(16_384)
      }),
      { numRuns: 30 },
    )
  })
})
