import type { Commands } from "@haft/contract"
import { afterEach, expect, test } from "vitest"
import { powershell } from "../../../../../tools/src/shell/powershell/index.js"
import { failure } from "../../../../../tools/test/failure.js"
import { openShellBench } from "../../../../../tools/test/shell-bench.js"
import type { ToolBench } from "../../../../../tools/test/tool-bench.js"
import { powershellStart } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const machine = (programs: Readonly<Record<string, string>>) => (real: Commands) => ({
  ...real,
  find: async (name: string) => programs[name],
})

test("without PowerShell nothing is started, and the call says what to install", async () => {
  bench = await openShellBench({}, { commands: machine({}) })
  const error = await failure(bench.run(powershellStart, { command: "Get-Date" }))
  expect([error.code, error.fix]).toEqual(["not_configured", expect.stringContaining("pwsh")])
})

test.each<Readonly<Record<string, string>>>([{ pwsh: "/bin/true" }, { powershell: "/bin/true" }])(
  "a job of %j",
  async (programs) => {
    bench = await openShellBench({}, { commands: machine(programs) })
    expect((await bench.run(powershellStart, { command: "Get-Date" })).data).toMatchObject({ id: "job_1" })
  },
)

test("the judge sees the same as in the foreground: the text itself, under the rules of powershell", () => {
  const { command, input, judgedLike } = powershellStart.manifest
  const text = { command: "Remove-Item x" }
  expect(command!(input.parse(text))).toEqual(powershell.manifest.command!(powershell.manifest.input.parse(text)))
  expect(judgedLike).toBe("powershell")
})
