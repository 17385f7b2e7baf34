import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench } from "../testing/sandbox-bench.js"

describe.each(backendsHere)("behind %s", (backend) => {
  test("a command cannot put another folder in the place of the home directory of the next one", async () => {
    const bench = await makeSandboxBench({ backend })
    const outside = join(bench.base, "outside")
    mkdirSync(outside)
    writeFileSync(join(outside, "key"), "private\n")
    const scratch = join(bench.haftHome, "sessions", "s1", "scratch")
    await bench.run(
      `echo kept > ~/note; cd ${scratch}; for name in home $(ls -A); do mv $name $name.old; ln -s ${outside} $name; done 2>/dev/null`,
    )
    const { stdout } = await bench.run("cat ~/key 2>/dev/null; echo x > ~/planted; cat ~/note")
    expect(stdout).toBe("kept\n")
    expect(existsSync(join(outside, "planted"))).toBe(false)
    await bench.close()
  })

  test("in a wide root the home directory is the session's own all the same", async () => {
    const home = process.env.HOME ?? "/root"
    const bench = await makeSandboxBench({ backend, roots: [home], isWide: (path) => path === home, directory: home })
    const { stdout, stderr } = await bench.run("echo kept > ~/note && cat ~/note; echo $HOME", { directory: home })
    expect(stderr).toBe("")
    expect(stdout).toBe(`kept\n${join(bench.haftHome, "sessions", "s1", "home")}\n`)
    await bench.close()
  })

  test("a command cannot lead the mounts of the next one out of the home directory by a link", async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-ways-")))
    const outside = join(base, "outside")
    const home = join(base, "home")
    const root = join(home, "code", "ws")
    const haftHome = join(home, ".local", "share", "haft")
    const tools = join(home, ".cargo", "bin")
    for (const folder of [outside, root, haftHome, tools]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(tools, "tool"), "#!/bin/sh\necho tool\n", { mode: 0o755 })
    const bench = await makeSandboxBench({
      ...{ backend, home, roots: [root], directory: root, haftHome, path: `${tools}:${process.env.PATH}` },
      sessionFolder: join(haftHome, "sessions", "s1"),
      cacheFolder: join(haftHome, "cache", "w1"),
    })
    const run = (line: string) => bench.run(line, { directory: root })
    // Where the view is built, the machine is below /oldroot for bubblewrap and below / for unshare.
    const swaps = [".local", ".cargo", "code", ".local/share", ".local/share/haft"]
      .flatMap((name) =>
        ["/oldroot", ""].map((old) => `mv ~/${name} ~/${name}.away && ln -s ${old}${outside} ~/${name}`),
      )
      .join("; ")
    await run(`touch ~/kept ~/.local/kept; { ${swaps}; } 2>/dev/null; true`)
    const { stdout, failure } = await run("tool; pwd; ls -d ~/kept ~/.local/kept; touch ../beside 2>&1; touch here")
    expect(failure).toBeUndefined()
    const beside = "touch: cannot touch '../beside': Read-only file system"
    expect(stdout.split("\n")).toEqual(["tool", root, `${home}/.local/kept`, `${home}/kept`, beside, ""])
    expect(existsSync(join(root, "here"))).toBe(true)
    expect(readdirSync(outside)).toEqual([])
    await bench.close()
    rmSync(base, { recursive: true, force: true })
  })
})
