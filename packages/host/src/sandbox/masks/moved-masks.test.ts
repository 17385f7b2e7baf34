import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

describe.each(backendsHere)("what a rule hides, behind %s,", (backend) => {
  let ground: SandboxBench
  beforeEach(async () => {
    ground = await makeSandboxBench({ backend })
    mkdirSync(join(ground.root, "conf/secret"), { recursive: true })
    writeFileSync(join(ground.root, "conf/secret/key"), "hidden\n")
    writeFileSync(join(ground.root, "conf/plain"), "plain\n")
  })
  afterEach(() => ground.close())

  const denies = (kind: string, path: string) => kind === "fs.read" && path.startsWith(join(ground.root, "conf/secret"))

  test("does not become another name that no rule hides, by a folder above it that is renamed", async () => {
    await ground.run("mv conf other; mkdir -p node_modules; mv conf node_modules/conf; echo x > conf/new", { denies })
    const { stdout } = await ground.run(
      "cat other/secret/key node_modules/conf/secret/key 2>/dev/null; cat conf/plain",
      {
        denies,
      },
    )
    expect(stdout).toBe("plain\n")
    expect(readdirSync(join(ground.root, "conf")).sort()).toEqual(["new", "plain", "secret"])
  })

  const deniesName = (kind: string, path: string) => kind === "fs.read" && path.endsWith("/key")

  const moving = { denies: deniesName, mayDelete: () => true }

  test("stays in its folder where the command was not judged to move that", async () => {
    expect((await ground.run("mv conf other", { denies: deniesName })).code).not.toBe(0)
    expect(readdirSync(ground.root)).toContain("conf")
  })

  test("by its name alone moves with its folder, also where nothing is looked through, and stays hidden", async () => {
    for (const place of ["other", "node_modules/deep", "conf"]) {
      const line = `mkdir -p node_modules; mv conf ${place} || mv node_modules/deep ${place}`
      const { code } = await ground.run(line, moving)
      expect(code).toBe(0)
      const { stdout } = await ground.run(
        "cat */key */*/key */*/*/key 2>/dev/null; cat */plain */*/plain 2>/dev/null",
        {
          denies: deniesName,
        },
      )
      expect(stdout).toBe("plain\n")
      if (place === "other") await ground.run("mv other conf", moving)
    }
    const { stdout } = await ground.run("mv conf/plain ./plain && rm -r conf/secret; ls conf", { denies: deniesName })
    expect(stdout).toBe("secret\n")
  })

  test("is hidden also in a place that the rules allow, when it was moved there", async () => {
    const denied = (kind: string, path: string) => deniesName(kind, path) && !path.includes("/allowed/")
    expect((await ground.run("mv conf allowed", { ...moving, denies: denied })).code).toBe(0)
    expect((await ground.run("cat allowed/secret/key 2>/dev/null; cat allowed/plain", { denies: denied })).stdout).toBe(
      "plain\n",
    )
  })

  test("is not shown by a link to where a command may not write", async () => {
    const outside = join(ground.base, "outside")
    mkdirSync(outside)
    writeFileSync(join(outside, "file"), "hidden\n")
    await ground.run(`ln -s ${outside} link`)
    const { stdout } = await ground.run("cat link/file 2>/dev/null; cat conf/plain", {
      denies: (kind) => kind === "fs.write",
    })
    expect(stdout).toBe("plain\n")
  })
})
