import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { FileEffectKind } from "@haft/contract"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { type NobodysProgram, nobody, programForNobody } from "../../../test/as-nobody.js"
import { WorkspaceIndex } from "../../workspace-index/index.js"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"
import { privateFolders } from "../view/system-mounts.js"
import { WorkspaceMasks } from "./workspace-masks.js"

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("not tested here: becoming another user needs user 0")

describe.each(backendsHere)("what rules deny, behind %s,", (backend) => {
  let ground: SandboxBench
  beforeEach(async () => {
    ground = await makeSandboxBench({ backend })
  })
  afterEach(() => ground.close())

  const put = (path: string, text = "secret\n") => {
    mkdirSync(dirname(join(ground.root, path)), { recursive: true })
    writeFileSync(join(ground.root, path), text)
  }
  const link = (from: string, to: string) => {
    mkdirSync(dirname(join(ground.root, to)), { recursive: true })
    linkSync(join(ground.root, from), join(ground.root, to))
  }
  const rulesKey = {}
  const rules = {
    rulesKey,
    denies: (kind: FileEffectKind, path: string) =>
      kind === "fs.read" && /\/(\.env|[^/]*\.(key|pem)|closed(\/.*)?)$/.test(path),
  }
  /** Everything that can be read of the workspace. */
  const everything = "find . -type f -exec cat {} + 2>/dev/null; true"
  const shown = async () => (await ground.run(everything, rules)).stdout
  const factsNow = async () => {
    const index = new WorkspaceIndex({ root: ground.root, skip: privateFolders })
    onTestFinished(() => index.close())
    return new WorkspaceMasks([index]).facts(rules)
  }

  test("is hidden under each of its names", async () => {
    put(".env")
    put("closed/in/folder.txt")
    put("plain.txt", "plain\n")
    link(".env", "copy.txt")
    link(".env", "deep/er/copy.txt")
    link(".env", "node_modules/p/lib/copy.js")
    link("closed/in/folder.txt", "open.txt")
    link(".env", "closed/copy.txt")
    link("plain.txt", "second.txt")
    expect(await shown()).toBe("plain\nplain\n")
    expect((await ground.run("cat copy.txt", rules)).stderr).toContain("Permission denied")
  })

  test("is hidden also under names that come between commands, whichever was first", async () => {
    put("config.txt")
    put("other.txt", "other\n")
    expect(await shown()).toMatch(/secret/)
    await new Promise((resolve) => setTimeout(resolve, 50))
    link("config.txt", ".env")
    expect(await shown()).toBe("other\n")
    link(".env", "node_modules/late.txt")
    expect(await shown()).toBe("other\n")
    renameSync(join(ground.root, "node_modules"), join(ground.root, "modules"))
    expect(await shown()).toBe("other\n")
    rmSync(join(ground.root, ".env"))
    expect((await shown()).split("\n").sort()).toEqual(["", "other", "secret", "secret"])
  })

  test("cannot be written under another name either, where only writing is denied", async () => {
    put("fixed.txt", "fixed\n")
    link("fixed.txt", "alias.txt")
    const denies = (kind: FileEffectKind, path: string) => kind === "fs.write" && path.endsWith("/fixed.txt")
    const { stdout } = await ground.run("cat alias.txt; echo changed > alias.txt; true", { denies })
    expect([stdout, readFileSync(join(ground.root, "fixed.txt"), "utf8")]).toEqual(["fixed\n", "fixed\n"])
  })

  test("is hidden under a name that only must not be written, too", async () => {
    put(".env")
    link(".env", "copy.txt")
    const denies = (kind: FileEffectKind, path: string) =>
      kind === "fs.write" ? path.endsWith("/copy.txt") : path.endsWith("/.env")
    expect((await ground.run(everything, { denies })).stdout).toBe("")
  })

  test("is hidden in installed packages too; certificates without a key are not", async () => {
    put("node_modules/p/.env")
    put("node_modules/p/test/fixtures/server.key")
    put("node_modules/p/keys.pem", "-----BEGIN CERTIFICATE-----\nx\n-----BEGIN RSA PRIVATE KEY-----\nsecret\n")
    put("node_modules/p/ca.pem", "-----BEGIN CERTIFICATE-----\npublic\n")
    put("node_modules/p/index.js", "code\n")
    put(".git/objects/aa/.env")
    execFileSync("mkfifo", [join(ground.root, "node_modules/pipe")])
    const { stdout, sandbox } = await ground.run(everything, rules)
    expect(stdout.split("\n").sort()).toEqual(["", "-----BEGIN CERTIFICATE-----", "code", "public"])
    expect(sandbox.isolation.unscanned).toBeUndefined()
    expect(await factsNow()).toEqual({ unmasked: [] })
    put("node_modules/new/.env")
    expect(await shown()).not.toContain("secret")
  })

  test("is asked about where there is too much of it in installed packages", async () => {
    for (let number = 0; number < 101; number += 1) put(`node_modules/p/${number}.key`)
    expect(await factsNow()).toEqual({
      unmasked: [
        `101 files in "${join(ground.root, "node_modules")}" that rules deny can be read: they are too many to hide`,
      ],
    })
    const { sandbox } = await ground.run("true", rules)
    expect(sandbox.isolation.unscanned).toEqual([join(ground.root, "node_modules")])
  })

  test("is hidden whole, or nothing is run", async () => {
    for (let number = 0; number < 2001; number += 1) put(`keys/${number}.key`)
    await expect(ground.run("touch ran; cat keys/*", rules)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("rules deny 2001 files of the workspace, and a sandbox hides at most 2000"),
    })
    expect(readdirSync(ground.root)).toEqual(["keys"])
    // As a whole it is one.
    const denies = (kind: FileEffectKind, path: string) => kind === "fs.read" && path.includes("/keys")
    expect((await ground.run("cat keys/* 2>/dev/null; echo end", { denies })).stdout).toBe("end\n")
  })
})

describe.skipIf(!isRoot).each(backendsHere)("as another user, behind %s", (backend) => {
  let program: NobodysProgram
  beforeAll(async () => {
    program = await programForNobody(new URL("../testing/run-lines.ts", import.meta.url))
  })
  afterAll(() => program?.remove())

  test("what rules deny is hidden under each of its names and in packages", async () => {
    const make = "echo secret > a; ln a b; mkdir -p node_modules/p; echo secret > node_modules/p/c; echo plain > d"
    const name = "ln a .env; mv node_modules/p/c node_modules/p/.env"
    const look = "find . -type f -exec cat {} + 2>/dev/null; true"
    const { results } = (await program.run(backend, make, name, look)) as { results: readonly { stdout: string }[] }
    expect(results[2]!.stdout).toBe("plain\n")
  })

  test("as user 0 in a workspace of somebody else as well", async () => {
    const ground = await makeSandboxBench({ backend })
    writeFileSync(join(ground.root, ".env"), "secret\n")
    linkSync(join(ground.root, ".env"), join(ground.root, "copy"))
    execFileSync("chown", ["-R", `${nobody}:${nobody}`, ground.root])
    const denies = (kind: FileEffectKind, path: string) => kind === "fs.read" && path.endsWith("/.env")
    expect((await ground.run("cat .env copy 2>/dev/null; id -u", { denies })).stdout).toBe(`${nobody}\n`)
    await ground.close()
  })
})
