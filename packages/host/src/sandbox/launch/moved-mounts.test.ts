import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench, runIn } from "../testing/sandbox-bench.js"

describe.each(backendsHere)("while another command can write the workspace, behind %s,", (backend) => {
  test("a folder that is exchanged for a link while a sandbox is built shows nothing of what the link leads to", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "haft-home-")))
    const bench = await makeSandboxBench({ backend, home })
    const { root } = bench
    const repository = join(root, "inner one")
    mkdirSync(join(repository, ".git/hooks"), { recursive: true })
    writeFileSync(join(repository, ".git/config"), "")
    cpSync(repository, home, { recursive: true })
    writeFileSync(join(home, "key"), "private\n")
    const other = await bench.prepare()
    const sandbox = await bench.prepare()
    cpSync(repository, home, { recursive: true })
    renameSync(repository, join(root, "away"))
    symlinkSync(relative(root, home), repository)
    const ended = await runIn(sandbox, ["/bin/sh", "-c", `cat "${home}/key"; touch "${home}/planted"`])
    expect(ended.stdout).toBe("")
    expect(ended.failure).toContain("was changed by another process")
    expect(existsSync(join(home, "planted"))).toBe(false)
    for (const one of [sandbox, other]) await one.release()
    await bench.close()
    rmSync(home, { recursive: true })
  })

  test.each(["a repository", "nothing"])("nothing is made where such a link leads to: there is %s", async (there) => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "haft-outside-")))
    const bench = await makeSandboxBench({ backend })
    const repository = join(bench.root, "inner")
    mkdirSync(join(repository, ".git"), { recursive: true })
    for (const name of [".git/config", ".env"]) writeFileSync(join(repository, name), "")
    if (there === "a repository") cpSync(repository, outside, { recursive: true })
    const before = readdirSync(outside, { recursive: true })
    const sandbox = await bench.prepare({ denies: (_kind, path) => path.endsWith("/.env") })
    renameSync(repository, join(bench.root, "away"))
    symlinkSync(outside, repository)
    const ended = await runIn(sandbox, ["/bin/sh", "-c", "echo ran"])
    await sandbox.release()
    expect(ended.stdout).toBe("")
    expect(readdirSync(outside, { recursive: true })).toEqual(before)
    await bench.close()
    rmSync(outside, { recursive: true })
  })

  test("sandboxes work as before where nobody changed anything", async () => {
    const bench = await makeSandboxBench({ backend })
    mkdirSync(join(bench.root, "a b\\c/.git"), { recursive: true })
    writeFileSync(join(bench.root, "a b\\c/.env"), "")
    const denies = (_kind: string, path: string) => path.endsWith("/.env")
    const other = await bench.prepare({ denies })
    const { stdout, failure } = await bench.run('echo x > "a b\\\\c/file" && cat "a b\\\\c/file"; env | grep haft_', {
      denies,
    })
    expect([stdout, failure]).toEqual(["x\n", undefined])
    await other.release()
    await bench.close()
  })
})

describe.each(backendsHere)("a root inside another one, behind %s,", (backend) => {
  test("cannot be exchanged by a command, nor a folder above it", async () => {
    const bench = await makeSandboxBench({ backend })
    const outer = join(bench.root, "outer")
    const inner = join(outer, "between/inner")
    mkdirSync(inner, { recursive: true })
    const nested = await makeSandboxBench({ backend, roots: [outer, inner], directory: outer })
    const line = "mv between away; rmdir between/inner; ln -sfn ../.. between/inner; echo x > between/inner/file"
    await nested.run(line, { directory: outer })
    expect(readdirSync(outer)).toEqual(["between"])
    expect(lstatSync(inner).isDirectory()).toBe(true)
    for (const one of [nested, bench]) await one.close()
  })
})
