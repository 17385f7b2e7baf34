import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import type { Commands } from "@haft/contract"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openShellBench } from "../../../test/shell-bench.js"
import type { ToolBench } from "../../../test/tool-bench.js"
import { bash } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const unconfined = "[ran outside the sandbox"

test("streams come apart, with the exit code; zero is not worth a word", async () => {
  bench = await openShellBench({ "a.txt": "one\n" })
  const good = await bench.run(bash, { command: "cat a.txt" })
  expect(good.data).toMatchObject({ stdout: "one\n", stderr: "", exit_code: 0, timed_out: false })
  expect(good.text).toMatch(/^one\n\[ran outside the sandbox/)
  const bad = await bench.run(bash, { command: "echo out; echo problem >&2; exit 3" })
  expect(bad.data).toMatchObject({ stdout: "out\n", stderr: "problem\n", exit_code: 3 })
  expect(bad.text).toMatch(/^out\n\[stderr\]\nproblem\n\[exit code 3; ran outside/)
})

test("silence is said", async () => {
  bench = await openShellBench()
  expect((await bench.run(bash, { command: "true" })).text).toMatch(/^\[No output\]\n/)
})

test("output is told while it comes", async () => {
  bench = await openShellBench()
  const { deltas } = await bench.run(bash, { command: "echo one; sleep 0.2; echo two >&2" })
  expect(deltas.join("")).toBe("one\ntwo\n")
})

test("a command that takes too long is ended, and what it printed is there", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(bash, { command: "echo begun; sleep 30; echo never", timeout: 300 })
  expect(data).toMatchObject({ stdout: "begun\n", exit_code: null, timed_out: true })
  expect(text).toContain("timed out after 300 ms")
})

test("a background child neither holds the call up nor outlives it", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(bash, { command: "sleep 54.321 & echo done" })
  expect(data).toMatchObject({ stdout: "done\n", exit_code: 0, ended_processes: 1 })
  expect(text).toContain("1 process left in the background ended with it")
  expect(spawnSync("pgrep", ["-fx", "sleep 54.321"]).stdout.toString()).toBe("")
})

test("a signal is named", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(bash, { command: "kill -KILL $$" })
  expect(data).toMatchObject({ exit_code: null, signal: "SIGKILL" })
  expect(text).toContain("[ended by SIGKILL")
})

test("[C2-21] calls share no state, and standard input is closed", async () => {
  bench = await openShellBench({ "sub/a": "" })
  await bench.run(bash, { command: "cd sub; name=value" })
  const { data } = await bench.run(bash, { command: 'echo "$PWD [$name]"; cat' })
  expect(data.stdout).toBe(`${bench.workspace.path} []\n`)
})

test("no start file of the user is read", async () => {
  bench = await openShellBench({ ".bashrc": "echo bashrc\n", ".profile": "echo profile\n" })
  expect((await bench.run(bash, { command: "echo only" })).data.stdout).toBe("only\n")
})

test.each(["-x", "--version", "+e"])("the line %j is a command and never an option of bash", async (command) => {
  bench = await openShellBench()
  const { data } = await bench.run(bash, { command })
  expect(data).toMatchObject({ stdout: "", exit_code: 127 })
  expect(data.stderr).toMatch(/^bash: .*command not found\n$/)
})

test("the line reaches bash byte for byte", async () => {
  bench = await openShellBench()
  const odd = `it's "two" \\ $(x) \`y\` \t ${"é".repeat(3)} 漢 🙂 %s`
  const { data } = await bench.run(bash, { command: `cat <<'end'\n${odd}\nend` })
  expect(data.stdout).toBe(`${odd}\n`)
})

test("[C2-43] [C2-44] a long output keeps head and tail within the limit, says what is left out, and is whole in a file", async () => {
  bench = await openShellBench()
  const { data, sidecar } = await bench.run(bash, { command: "seq 1 100000" }, { limit: 2_000 })
  const whole = spawnSync("seq", ["1", "100000"]).stdout.toString()
  expect(Buffer.byteLength(data.stdout + data.stderr)).toBeLessThanOrEqual(2_000)
  const [, head, left, tail] = /^([\s\S]*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n([\s\S]*)$/.exec(data.stdout)!
  expect(whole.startsWith(head!)).toBe(true)
  expect(whole.endsWith(tail!)).toBe(true)
  expect(Number(left)).toBe(whole.length - head!.length - tail!.length)
  expect(readFileSync(sidecar()!, "utf8")).toContain("\n50000\n")
})

test("binary output is text with replacement characters", async () => {
  bench = await openShellBench()
  expect((await bench.run(bash, { command: "printf 'a\\377b'" })).data.stdout).toBe("a\ufffdb")
})

test("text that could not reach the shell as it was judged is refused before anything starts", async () => {
  bench = await openShellBench()
  expect((await failure(bench.run(bash, { command: "touch x\0" }))).code).toBe("invalid_args")
  expect((await failure(bench.run(bash, { command: "touch x\ud800" }))).code).toBe("invalid_args")
  const long = await failure(bench.run(bash, { command: `touch x #${"y".repeat(140_000)}` }))
  expect(long.code).toBe("too_large")
  expect(long.message).toContain("write it to a file")
  expect(await bench.workspace.readText("x")).toBeNull()
})

test("the largest line that is not refused runs", async () => {
  bench = await openShellBench()
  const command = `echo ok #${"y".repeat(131_071 - 9)}`
  expect((await bench.run(bash, { command })).data.stdout).toBe("ok\n")
})

const finding = (programs: Readonly<Record<string, string>>) => (real: Commands) => ({
  ...real,
  find: async (name: string) => programs[name],
})

test("without any shell the call says what to install", async () => {
  bench = await openShellBench({}, { commands: finding({}) })
  const error = await failure(bench.run(bash, { command: "true" }))
  expect(error.code).toBe("not_configured")
  expect(error.fix).toContain("Install bash")
})

test("PowerShell never runs a bash line where the system is not Windows", async () => {
  bench = await openShellBench({}, { commands: finding({ pwsh: "/usr/bin/pwsh" }) })
  expect((await failure(bench.run(bash, { command: "true" }))).code).toBe("not_configured")
})

test("on Windows the line goes to PowerShell, also where some bash is installed", async () => {
  let started: readonly string[] = []
  const onWindows = (real: Commands): Commands => ({
    find: async (name) =>
      ({ bash: "C:\\Windows\\System32\\bash.exe", powershell: "C:\\Windows\\System32\\powershell.exe" })[name],
    run: (request) => {
      started = request.argv
      return real.run({ ...request, argv: ["/bin/true"] })
    },
  })
  bench = await openShellBench({}, { commands: onWindows })
  await bench.run(bash, { command: "Get-ChildItem" })
  expect(started[0]).toBe("C:\\Windows\\System32\\powershell.exe")
  expect(Buffer.from(started.at(-1)!, "base64").toString("utf16le")).toContain("Create('Get-ChildItem\n")
})

test("[C2-12] an abort ends the command", async () => {
  bench = await openShellBench()
  const controller = new AbortController()
  const running = bench.run(bash, { command: "sleep 53.21" }, { signal: controller.signal })
  setTimeout(() => controller.abort(), 100)
  expect((await failure(running)).code).toBe("cancelled")
  expect(spawnSync("pgrep", ["-fx", "sleep 53.21"]).stdout.toString()).toBe("")
})

test("what is not confined says so", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(bash, { command: "true" })
  expect(data.isolation).toMatchObject({ level: "none", network: "host", limits: { enforced_by: "none" } })
  expect(text).toContain(unconfined)
})

test("the streams are shown as they were read; in the data they stay apart", async () => {
  bench = await openShellBench()
  const command = "echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three"
  const { data, text } = await bench.run(bash, { command })
  expect(data).toMatchObject({ stdout: "one\nthree\n", stderr: "two\n", order: [4, 4, 6] })
  expect(text).toContain("one\n[stderr]\ntwo\n[stdout]\nthree")
  const plain = await bench.run(bash, { command: "echo one; echo three; sleep 0.2; echo two >&2" })
  expect(plain.data).not.toHaveProperty("order")
})

test("the model reads no colours and the last state of progress; the data has the bytes", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(bash, { command: "printf '\\033[31mred\\033[0m\\n1%%\\r50%%\\r100%%\\n'" })
  expect(data.stdout).toBe("\u001b[31mred\u001b[0m\n1%\r50%\r100%\n")
  expect(text).toMatch(/^red\n100%(?:\n\[|$)/)
})
