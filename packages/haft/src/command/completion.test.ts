import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

describe("haft completion", () => {
  async function complete(...words: readonly string[]): Promise<readonly string[]> {
    const script = join(bench.work, "completion.bash")
    writeFileSync(script, (await bench.run(["completion", "bash"])).stdout)
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _haft; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync("bash", ["-c", program, "bash", script, ...words], { encoding: "utf8", cwd: bench.work })
      .trim()
      .split("\n")
  }

  test.each([
    [["haft", "ca"], ["call"]],
    [["haft", "call", "gr"], ["grep"]],
    [["haft", "call", "--root", "x", "gr"], ["grep"]],
    [["haft", "call", "grep", "patt"], ["pattern="]],
    [["haft", "call", "grep", "pattern=x", "--mo"], ["--mode"]],
    [["haft", "call", "--mode", "pl"], ["plan"]],
    [["haft", "session", "ver"], ["verify"]],
    [["haft", "session", "list", "--li"], ["--limit"]],
    [["haft", "config", "get", "lang"], ["language"]],
    [["haft", "completion", "fi"], ["fish"]],
  ])("bash completes %j", async (words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })

  test.each(["zsh", "fish", "pwsh"])("%s gets a script that names commands, tools and options", async (shell) => {
    const { code, stdout } = await bench.run(["completion", shell])
    expect(code).toBe(0)
    for (const word of ["session", "grep", "pattern=", "plan"]) expect(stdout).toContain(word)
  })

  test("another shell is refused", async () => {
    expect((await bench.run(["completion", "ksh"])).code).toBe(2)
  })
})
