import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BoxOutcome, BoxRequest, CallScope, ToolDefinition, ToolError } from "@haft/contract"
import { fakeMemory, runExample } from "@haft/testkit"
import { afterAll, describe, expect, test } from "vitest"
import { createBox } from "../../../../box/src/create-box.js"
import { ensureTestImage, testImagesFolder } from "../../../../box/src/testing/test-image.js"
import { failure } from "../../../test/failure.js"
import { box, examples } from "./index.js"

const minute = 60_000
const missing = await ensureTestImage()
const title = `in a real machine${missing === undefined ? "" : ` (left out: ${missing})`}`
const empty = mkdtempSync(join(tmpdir(), "haft-no-images-"))
afterAll(() => rmSync(empty, { recursive: true }))

const patient = { tcgProbeMs: minute, bootMs: minute, restoreMs: minute }
const realBox = createBox(
  { imagesFolder: missing === undefined ? testImagesFolder : empty, deadlines: patient },
  { outputFolder: empty },
)

function contextWith(port: unknown, told: string[] = []) {
  const signal = new AbortController().signal
  const base = { callId: "call", sessionId: "session", signal, limit: 10_000, memory: fakeMemory() }
  return {
    ...base,
    box: port,
    emit: (text: string) => told.push(text),
    attach: () => undefined,
    setState: () => undefined,
    setSidecar: (path: string) => told.push(`[${path}]`),
  }
}

async function call(input: unknown, context: unknown) {
  const { execute } = await box.execute()
  const parsed = box.manifest.input.parse(input)
  const data = box.manifest.output.parse(await execute(parsed, context as never))
  const content = box.present(data, parsed)
  return { data, text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") }
}

describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  test.each(examples.map((example) => [example.name, example] as const))("%s", async (_, example) => {
    const makeContext = () => ({ context: contextWith(realBox({} as CallScope)) })
    await runExample(box as unknown as ToolDefinition, example as never, makeContext)
  })

  test("the result has the shape that was promised, and output is told while it comes", async () => {
    const told: string[] = []
    const input = { command: "echo out; exit 3", image: "debian-12" }
    const { data, text } = await call(input, contextWith(realBox({} as CallScope), told))
    expect(data).toEqual({
      ok: true,
      stdout: "out\n",
      stderr: "",
      exit_code: 3,
      timed_out: false,
      isolation: {
        level: expect.stringMatching(/^vm(-emulated)?$/),
        asked: "vm",
        backend: expect.stringContaining("qemu"),
        nested_in: "bwrap",
        network: "none",
        image: "debian-12",
        digest: expect.stringContaining("sha256:"),
        os: "debian 12",
        snapshot: true,
      },
      ms: { boot: expect.any(Number), run: expect.any(Number) },
    })
    expect(text).toBe("out\n[exit code 3]")
    expect(told.join("")).toBe("out\n")
  })

  test("the streams of a machine are shown as they were read and as a terminal would show them", async () => {
    const command = "echo one; sleep 0.5; printf '\\033[31mtwo\\033[0m\\n' >&2; sleep 0.5; printf '1%%\\r2%%\\n'"
    const { data, text } = await call({ command, image: "debian-12" }, contextWith(realBox({} as CallScope)))
    expect(data).toMatchObject({ stdout: "one\n1%\r2%\n", stderr: "\u001b[31mtwo\u001b[0m\n", order: [4, 13, 6] })
    expect(text).toBe("one\n[stderr]\ntwo\n[stdout]\n2%")
  })
})

test("without an image the call is refused with what to do", async () => {
  const nothing = createBox({ imagesFolder: empty }, { outputFolder: empty })({} as CallScope)
  const error: ToolError = await failure(call({ command: "true" }, contextWith(nothing)))
  expect(error.code).toBe("not_configured")
  expect(error.details).toEqual({
    ok: false,
    reason: "BOX_IMAGE_MISSING",
    image: "ubuntu-22.04",
    installed: [],
    ran: false,
  })
  expect(error.fix).toContain("haft box image build")
})

test("what a call says reaches the port as it is, with the defaults of the table", async () => {
  const requests: BoxRequest[] = []
  const port = { run: async (request: BoxRequest) => Promise.reject(requests.push(request)) }
  await call({ command: "a", files: { "/x": "y" } }, contextWith(port)).catch(() => undefined)
  expect(requests[0]).not.toHaveProperty("image")
  expect(requests[0]).toMatchObject({
    command: "a",
    timeoutMs: 60_000,
    files: { "/x": "y" },
    keepBytes: 10_000,
  })
})

test("output that did not fit is shown within the limit, and the file of the port is the whole", async () => {
  const cut = (text: string) => ({ text, totalBytes: 5_000_000, truncated: true })
  const half = "x".repeat(5_000)
  const isolation = { level: "vm-emulated", asked: "vm", backend: "qemu", nestedIn: "bwrap", network: "none" } as const
  const outcome: BoxOutcome = {
    stdout: cut(`${half}\n[... 4990000 bytes left out ...]\n${half}`),
    stderr: { text: "why\n", totalBytes: 4, truncated: false },
    exitCode: 0,
    timedOut: false,
    outputPath: "/session/out/call.txt",
    isolation: { ...isolation, image: "debian-12", digest: "sha256:", os: "debian 12", snapshot: true },
    bootMs: 1,
    runMs: 1,
  }
  const told: string[] = []
  const { data } = await call({ command: "a" }, contextWith({ run: async () => outcome }, told))
  expect(told).toEqual(["[/session/out/call.txt]"])
  expect(data.stderr).toBe("why\n")
  expect(data.stdout.length + data.stderr.length).toBeLessThanOrEqual(10_000)
  expect(data.stdout.match(/bytes left out/g)).toHaveLength(1)
})

test("a command that is no text never reaches a machine, and bad arguments are no arguments", async () => {
  for (const command of ["a\0b", "\ud800"]) {
    expect((await failure(call({ command }, contextWith({})))).code).toBe("invalid_args")
  }
  const schema = box.manifest.input
  for (const input of [
    {},
    { command: "" },
    { command: "a", timeout: 0 },
    { command: "a", timeout: 600_001 },
    { command: "a", network: true },
  ]) {
    expect(schema.safeParse(input).success).toBe(false)
  }
})

test("what the model reads names a time that ran out and a sandbox that is no machine", () => {
  const isolation = {
    level: "container",
    asked: "container",
    backend: "",
    nested_in: "",
    network: "none",
    image: "",
    digest: "",
    os: "",
    snapshot: false,
  } as const
  const data = {
    ok: true,
    stdout: "",
    stderr: "why\n",
    exit_code: null,
    timed_out: true,
    isolation,
    ms: { boot: 1, run: 1 },
  } as const
  expect(box.present(data, box.manifest.input.parse({ command: "a", timeout: 50 }))).toEqual([
    { type: "text", text: "[stderr]\nwhy" },
    { type: "text", text: "[timed out after 50 ms; isolation: container]" },
  ])
})
