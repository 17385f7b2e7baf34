import { readFile } from "node:fs/promises"
import type { Content } from "@haft/contract"
import { dialectNamed } from "@haft/dialects"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { type CommandResult, shellWorld } from "./shell-world.js"
import { type Workbench, workbench } from "./workbench.js"

const numbers = (count: number) => `${Array.from({ length: count }, (_, index) => index + 1).join("\n")}\n`
const textOf = (content: readonly Content[]) =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")

test("only the text of a long output is shortened: the data is whole, and the file that the text names has all", async () => {
  await using world = await shellWorld()
  const { envelope, content } = await world.session.result("bash", { command: "seq 1 20000" }, { answer: "once" })
  if (envelope.type !== "output") throw new Error(envelope.error_text)
  expect(envelope.data).toMatchObject({ stdout: numbers(20_000), stderr: "", exit_code: 0 })
  expect(envelope.data).not.toHaveProperty("head")
  expect(envelope.metadata.truncated ?? false).toBe(false)
  const path = envelope.metadata.output_path!
  const said = textOf(content)
  expect(said.length).toBeLessThan(33_000)
  expect(said.length).toBeGreaterThan(30_000)
  expect(said).toMatch(/^1\n2\n3\n/)
  expect(said).toContain("\n19999\n20000\n")
  expect(said).toContain(path)
  expect(await readFile(path, "utf8")).toContain(numbers(20_000).trimEnd())
  const page = await world.session.call("read", { file_path: path, offset: 9_999, limit: 1 })
  expect(page).toMatchObject({ type: "output", data: { content: "10000\n" } })
})

test("an output beyond the limit of the data is cut there too, and its text is as short", async () => {
  await using world = await shellWorld()
  const { envelope, content } = await world.session.result("bash", { command: "seq 1 100000" }, { answer: "once" })
  expect(envelope.metadata).toMatchObject({ truncated: true, output_path: expect.any(String) })
  expect(textOf(content).length).toBeLessThan(33_000)
  expect(textOf(content)).toContain(envelope.metadata.output_path)
  expect(await readFile(envelope.metadata.output_path!, "utf8")).toBe(numbers(100_000))
})

test("streams that fit only apart are in the file as they were printed", async () => {
  await using world = await shellWorld()
  const command = "yes out | head -c 150000; sleep 0.3; yes err | head -c 150000 >&2; sleep 0.3; echo end"
  const { envelope, content } = await world.session.result("bash", { command }, { answer: "once" })
  if (envelope.type !== "output") throw new Error(envelope.error_text)
  const { stdout, stderr } = envelope.data as CommandResult
  expect(stdout.length + stderr.length).toBeLessThanOrEqual(200_000)
  expect(await readFile(envelope.metadata.output_path!, "utf8")).toMatch(/^(?:out\n)+[out]*(?:err\n)+[er]*end\n$/)
  expect(textOf(content)).toMatch(/^out\n[\s\S]*left out[\s\S]*\n\[stderr\]\n(?:err\n)+[er]*\n\[stdout\]\nend\n/)
})

test.each([
  [
    "bash",
    { command: "printf '\\033[1mbold\\033[0m 1%%\\r\\033[Kdone\\n'; sleep 0.2; echo why >&2; sleep 0.2; echo end" },
  ],
  ["exec", { command: "sh", args: ["-c", "printf '1%%\\rdone\\n'; sleep 0.2; echo why >&2; sleep 0.2; echo end"] }],
  ["repl", { language: "shell", code: "printf '1%%\\rdone\\n'; sleep 0.2; echo why >&2; sleep 0.2; echo end" }],
])("%s: what the model reads is what a terminal shows, in the order in which it was read", async (tool, input) => {
  await using world = await shellWorld()
  const { content } = await world.session.result(tool, input, { answer: "once" })
  expect(textOf(content)).toMatch(/^done\n\[stderr\]\nwhy\n\[stdout\]\nend(?:\n\[|$)/)
})

test.each([
  ["a3s", "bash", {}],
  ["lobe", "lobe-local-system____runCommand", { description: "prints" }],
])("%s gets the same text", async (name, tool, more) => {
  await using world = await shellWorld()
  const command = "printf '\\033[1mbold\\033[0m\\n'; sleep 0.2; echo why >&2; sleep 0.2; seq 1 20000"
  const dialect = (await dialectNamed(name))!
  const { projection, result } = await world.session.callIn(dialect, tool, { command, ...more }, { answer: "once" })
  expect(projection.text).toMatch(/^bold\n\[stderr\]\nwhy\n\[stdout\]\n1\n2\n/)
  expect(projection.text.length).toBeLessThan(33_000)
  expect(projection.text).toContain("\n19999\n20000\n")
  expect(projection.text).toContain(result.envelope.metadata.output_path)
})

test.each([
  ["claw", "bash", { command: "printf '\\033[1mbold\\033[0m 1%%\\r\\033[K2%%\\n'" }],
  ["claw", "REPL", { language: "sh", code: "printf '\\033[1mbold\\033[0m 1%%\\r\\033[K2%%\\n'" }],
  ["asyar", "builtin:shell-exec", { command: "printf", args: ["\u001b[1mbold\u001b[0m 1%%\\r\u001b[K2%%\\n"] }],
])("%s %s: streams of their own are clean too", async (name, tool, input) => {
  await using world = await shellWorld()
  const dialect = (await dialectNamed(name))!
  const { projection } = await world.session.callIn(dialect, tool, input, { answer: "once" })
  const value = (typeof projection.value === "string" ? JSON.parse(projection.value) : projection.value) as object
  expect(value).toMatchObject({ stdout: "2%\n" })
})

test("claw and asyar get head and tail of a long stream, with the file", async () => {
  await using world = await shellWorld()
  const run = async (name: string, tool: string, input: object) =>
    (await world.session.callIn((await dialectNamed(name))!, tool, input, { answer: "once" })).projection.text
  for (const said of [
    await run("asyar", "builtin:shell-exec", { command: "seq", args: ["1", "20000"] }),
    await run("claw", "REPL", { language: "sh", code: "seq 1 20000" }),
  ]) {
    expect(said.length).toBeLessThan(48_000)
    expect(said).toMatch(/characters left out; more is in \/.*\.txt \.\.\.\]/)
    expect(said).toContain("19999\\n20000\\n")
  }
})

test.each([
  ["bash", { command: "vim notes.txt" }, "such as sed -i"],
  ["bash", { command: "git log | less" }, "leave the pager out"],
  ["bash", { command: "top" }, "top -b -n 1"],
  ["exec", { command: "nano", args: ["a.txt"] }, "such as sed -i"],
  ["job_start", { command: "htop" }, "ps aux"],
  ["bash", { command: "git rebase -i HEAD~2" }, "GIT_SEQUENCE_EDITOR"],
])("%s %j is refused at once, also when a person agrees, with what to do instead", async (tool, input, instead) => {
  await using world = await shellWorld()
  const start = performance.now()
  const envelope = await world.session.call(tool, input, { answer: "once" })
  expect(performance.now() - start).toBeLessThan(5_000)
  expect(envelope).toMatchObject({
    type: "error",
    error_text: expect.stringContaining("nobody is at a terminal here"),
    metadata: { error_code: "unsupported", hint: expect.stringContaining(instead) },
  })
})

test("a program that opens an editor by itself ends at once with the reason", async () => {
  await using world = await shellWorld({ "a.txt": "a\n" })
  await world.run("git init -q . && git add a.txt")
  const { stderr, exit_code } = await world.run("env -u GIT_EDITOR git -c user.name=a -c user.email=a@b.test commit -q")
  expect(stderr).toContain("No editor can be opened here: nobody is at a terminal")
  expect(exit_code).not.toBe(0)
})

test("what a person would read differently is pointed out, in results and in questions", async () => {
  const person = scriptedPerson({ asks: [{ answer: "once" }, { answer: "reject" }] })
  await using world = await shellWorld({}, { person })
  const command = "printf '\\xd1\\x81url \\xe2\\x80\\x8b\\xe2\\x80\\x8b \\xe2\\x80\\xae \\033[8mhidden\\033[0m\\n'"
  const { envelope, content } = await world.session.result("bash", { command })
  expect(envelope.metadata.notes).toEqual([
    "the text holds characters that a person does not see: U+200B (2), U+202E",
    'in "\u0441url" the letter \u0441 is U+0441 and only looks Latin',
  ])
  expect(textOf(content)).toContain("hidden on a terminal (ESC[8m)")
  await world.session.call("bash", { command: "echo \u0441url" })
  expect(person.asked.at(-1)?.ladder.reason).toContain('"\u0441url", in which \u0441 is U+0441 and no Latin letter')
})

let bench: Workbench | undefined
afterEach(() => bench?.remove())

test.each([20_000, 200_000])("haft call prints all of %i lines, and how the command ended", async (count) => {
  bench = workbench()
  const { stdout } = await bench.run(["call", "bash", `command=seq 1 ${count}; exit 3`, "--yes"])
  expect(stdout.startsWith(numbers(count))).toBe(true)
  expect(stdout.slice(numbers(count).length)).toMatch(/^\[exit code 3[^\n]*\]\n$/)
})
