import { execFileSync } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
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
    const env = { ...process.env, PATH: `${join(bench.work, "bin")}:${process.env.PATH}` }
    return execFileSync("bash", ["-c", program, "bash", script, ...words], { encoding: "utf8", cwd: bench.work, env })
      .trim()
      .split("\n")
  }

  test.each([
    [
      ["haft", "cal"],
      ["call", "calculator"],
    ],
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

  test("sessions and skills are asked for when the key is pressed", async () => {
    const { stdout } = await bench.run(["ls", "--json"])
    const id = JSON.parse(stdout).metadata.session_id as string
    bench.write(
      ".agents/skills/release-notes/SKILL.md",
      "---\nname: release-notes\ndescription: Writes them\n---\nText\n",
    )
    expect((await bench.run(["completion", "sessions"])).stdout).toBe(`last\n${id}\n`)
    expect((await bench.run(["completion", "skills"])).stdout.split("\n")).toContain("release-notes")
    // A program of that name on the search path prints what this one would.
    bench.write("bin/haft", `#!/bin/sh\n[ "$1 $2" = "completion sessions" ] && echo "last ${id}"\n`)
    chmodSync(join(bench.work, "bin/haft"), 0o755)
    expect(await complete("haft", "session", "show", "ses")).toEqual([id])
    expect(await complete("haft", "call", "--session", "la")).toEqual(["last"])
    expect(await complete("haft", "re")).toEqual(["read", "repo_clone", "repo_overview", "repl"])
    expect(await complete("haft", "read", "file")).toEqual(["file_path="])
  })

  test.each([
    ["/bin/bash", "data/bash-completion/completions/haft"],
    ["/usr/bin/zsh", "data/zsh/site-functions/_haft"],
    ["/usr/bin/fish", "config/fish/completions/haft.fish"],
  ])("install puts the script where %s looks", async (SHELL, file) => {
    const [data, config] = [join(bench.work, "data"), join(bench.work, "config")]
    const env = { SHELL, XDG_DATA_HOME: data, XDG_CONFIG_HOME: config }
    const { code, stdout, stderr } = await bench.run(["completion", "install"], { env })
    expect([code, stdout]).toEqual([0, `${join(bench.work, file)}\n`])
    expect(stderr).not.toBe("")
    expect(bench.read(file)).toContain("# haft completion for")
  })

  test("without a known shell, install says which ones there are", async () => {
    const { code, stderr } = await bench.run(["completion", "install"], { env: { SHELL: "/bin/ksh" } })
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      'error: Cannot complete in "ksh": known are bash, zsh, fish, pwsh',
    ])
  })

  test("another shell is refused", async () => {
    expect((await bench.run(["completion", "ksh"])).code).toBe(2)
  })
})
