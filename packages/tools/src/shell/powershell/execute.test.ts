import type { Commands } from "@haft/contract"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openShellBench } from "../../../test/shell-bench.js"
import type { ToolBench } from "../../../test/tool-bench.js"
import { powershell } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

/** A machine with these programs; instead of PowerShell a shell prints what it was started with. */
const machine = (programs: Readonly<Record<string, string>>) => (real: Commands) => ({
  find: async (name: string) => programs[name],
  run: (request: Parameters<Commands["run"]>[0]) =>
    real.run({ ...request, argv: ["/bin/sh", "-c", 'printf "%s|" "$@"', ...request.argv] }),
})

test("without PowerShell the call says what to install", async () => {
  bench = await openShellBench({}, { commands: machine({}) })
  const error = await failure(bench.run(powershell, { command: "Get-Date" }))
  expect(error.code).toBe("not_configured")
  expect(error.fix).toContain("pwsh")
})

test("pwsh comes before powershell, and the command goes to it encoded", async () => {
  bench = await openShellBench({}, { commands: machine({ pwsh: "/opt/pwsh", powershell: "/opt/old" }) })
  const { data } = await bench.run(powershell, { command: "Get-Date" })
  const words = data.stdout.split("|")
  expect(words.slice(0, 3)).toEqual(["-NoLogo", "-NoProfile", "-NonInteractive"])
  expect(Buffer.from(words.at(-2), "base64").toString("utf16le")).toContain("Create('Get-Date\n")
})

test("an older powershell does where there is no pwsh", async () => {
  bench = await openShellBench({}, { commands: machine({ powershell: "/opt/old" }) })
  expect((await bench.run(powershell, { command: "Get-Date" })).data.exit_code).toBe(0)
})

test("the description is for people: faces get it, the model does not", async () => {
  bench = await openShellBench({}, { commands: machine({ pwsh: "/opt/pwsh" }) })
  const { state, text } = await bench.run(powershell, { command: "Get-Date", description: "Show the date" })
  expect(state()).toEqual({ description: "Show the date" })
  expect(text).not.toContain("Show the date")
})

test("the judge sees it as PowerShell", () => {
  const input = powershell.manifest.input.parse({ command: "Get-Date" })
  expect(powershell.manifest.command!(input)).toEqual({ kind: "powershell", text: "Get-Date" })
})
