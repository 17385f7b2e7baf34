import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { sandboxIsHere, until } from "./shell-world.js"
import { type SourceCommand, sourceCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

describe.skipIf(!sandboxIsHere)("the names that a command holds in a workspace, for another Haft", () => {
  let command: SourceCommand
  beforeAll(async () => {
    command = await sourceCommand()
  })
  afterAll(() => command.remove())
  let bench: Workbench
  beforeEach(() => {
    bench = workbench()
    bench.write("a.txt", "text\n")
  })
  afterEach(() => bench.remove())
  const start = () => {
    const line = "command=touch begun; until [ -e ended ]; do sleep 0.05; done"
    const env = { ...process.env, ...bench.env }
    const words = [command.program, "call", "bash", "--yes", line]
    return spawn(process.execPath, words, { cwd: bench.work, env, stdio: "ignore" })
  }
  const ended = (child: ReturnType<typeof start>) => new Promise((resolve) => child.once("exit", resolve))

  test("are no configuration: it starts while the command runs", { timeout: 60_000 }, async () => {
    const first = start()
    const over = ended(first)
    await until(() => existsSync(join(bench.work, "begun")))
    expect(existsSync(join(bench.work, "haft.jsonc"))).toBe(true)
    expect(await bench.run(["call", "read", "file_path=a.txt"])).toMatchObject({ code: 0, stderr: "" })
    writeFileSync(join(bench.work, "ended"), "")
    await over
    expect(readdirSync(bench.work).sort()).toEqual(["a.txt", "begun", "ended"])
  })

  test("are gone once it starts after a Haft that was killed, also without a command", {
    timeout: 60_000,
  }, async () => {
    const first = start()
    const over = ended(first)
    await until(() => existsSync(join(bench.work, "begun")))
    first.kill("SIGKILL")
    await over
    expect(existsSync(join(bench.work, "haft.jsonc"))).toBe(true)
    expect(await bench.run(["call", "read", "file_path=a.txt"])).toMatchObject({ code: 0, stderr: "" })
    expect(readdirSync(bench.work).sort()).toEqual(["a.txt", "begun"])
  })

  test("a directory with something in it is still no configuration file", async () => {
    mkdirSync(join(bench.work, "haft.jsonc"))
    bench.write("haft.jsonc/inner", "")
    const { code, stderr } = await bench.run(["call", "read", "file_path=a.txt"])
    expect(code).toBe(3)
    expect(stderr).toContain("it is not a regular file")
  })
})
