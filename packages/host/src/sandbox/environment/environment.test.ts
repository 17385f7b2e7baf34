import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gitIdentity } from "@haft/git"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { isInstalled } from "../testing/installed.js"
import { buildEnvironment, type EnvironmentRequest, searchPath } from "./environment.js"
import { findOwnProgram } from "./programs.js"

const base = mkdtempSync(join(tmpdir(), "haft-environment-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const request = (options: Partial<EnvironmentRequest>): EnvironmentRequest => ({
  from: {},
  searchPath: ["/usr/bin"],
  home: "/home/ann",
  user: "ann",
  shell: "/bin/bash",
  temporary: "/tmp",
  cacheFolder: "/cache",
  profile: "workspace-write",
  names: [],
  secretNames: [],
  isVisible: () => false,
  further: {},
  ...options,
})

describe("the environment of a command", () => {
  test("is built: of the caller's variables only those of the list get in", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Z_]{3,12}$/), fc.string()), (from) => {
        const built = buildEnvironment(
          request({ from: { ...from, LD_PRELOAD: "x", BASH_ENV: "x", GIT_SSH_COMMAND: "x" } }),
        )
        const fixed = buildEnvironment(request({}))
        return Object.keys(built).every((name) => name in fixed || ["LC_ALL", "TZ"].includes(name))
      }),
    )
  })

  test("takes over places of toolchains and certificates that can be seen, and only those", () => {
    const from = { JAVA_HOME: "/opt/java", RUSTUP_HOME: "/root/secret" }
    const built = buildEnvironment(request({ from, isVisible: (path) => path.startsWith("/opt") }))
    expect(built.JAVA_HOME).toBe("/opt/java")
    expect(built).not.toHaveProperty("RUSTUP_HOME")
  })

  test("takes over what the user names, but a secret only when it is named as one", () => {
    const from = { CI: "1", MY_TOKEN: "abc", INNOCENT: "abc" }
    const names = ["CI", "MY_TOKEN", "INNOCENT", "ABSENT"]
    const built = buildEnvironment(request({ from, names }))
    expect(built).toMatchObject({ CI: "1" })
    expect(Object.values(built)).not.toContain("abc")
    expect(buildEnvironment(request({ from, names, secretNames: ["MY_TOKEN"] })).MY_TOKEN).toBe("abc")
  })

  test("makes git leave locks alone in profile look, and keeps caches apart", () => {
    expect(buildEnvironment(request({ profile: "read-only" })).GIT_OPTIONAL_LOCKS).toBe("0")
    expect(buildEnvironment(request({}))).not.toHaveProperty("GIT_OPTIONAL_LOCKS")
    expect(buildEnvironment(request({})).CARGO_HOME).toBe("/cache/cargo")
  })

  test("strange locale values of the caller are left out", () => {
    expect(buildEnvironment(request({ from: { LANG: "x; rm -rf /", TZ: "Europe/Berlin" } }))).toMatchObject({
      LANG: "C.UTF-8",
      TZ: "Europe/Berlin",
    })
  })
})

test("PATH keeps absolute, existing folders outside every root that others cannot write", () => {
  const [good, open, root] = ["good", "open", "root"].map((name) => join(base, name)) as [string, string, string]
  for (const folder of [good, open, join(root, "bin")]) mkdirSync(folder, { recursive: true })
  chmodSync(open, 0o777)
  const path = [".", "", "bin", good, `${good}/`, open, join(root, "bin"), "/nonexistent"].join(":")
  expect(searchPath(path, [root])).toEqual([good])
})

test("a program is a file that can be run", () => {
  mkdirSync(join(base, "programs/folder"), { recursive: true })
  writeFileSync(join(base, "programs/plain"), "")
  expect(findOwnProgram("folder", [join(base, "programs")])).toBeUndefined()
  expect(findOwnProgram("plain", [join(base, "programs")])).toBeUndefined()
})

test.skipIf(!isInstalled("git"))(
  "the git settings inside hold who commits, and nothing that runs or signs",
  async () => {
    writeFileSync(
      join(base, ".gitconfig"),
      '[user]\n\tname = "A \\"B\\" [core]"\n\temail = a@example.org\n[commit]\n\tgpgsign = true\n[core]\n\tpager = evil\n[alias]\n\tx = !evil\n',
    )
    const { lines, signs } = await gitIdentity(findOwnProgram("git", ["/usr/bin", "/bin"]), base)
    expect(signs).toBe(true)
    expect(lines).toContain("gpgsign = false")
    expect(lines).not.toContain("evil")
    writeFileSync(join(base, "written"), lines)
    const again = await gitIdentity(findOwnProgram("git", ["/usr/bin", "/bin"]), "/nonexistent")
    expect(again.lines).toBe("[commit]\n\tgpgsign = false\n[tag]\n\tgpgsign = false\n")
    expect(lines).toContain('name = "A \\"B\\" [core]"')
  },
)
