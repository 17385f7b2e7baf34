import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { backendsHere } from "./testing/installed.js"
import { makeGround } from "./testing/sandbox-ground.js"

describe.each(backendsHere)("behind %s", (backend) => {
  test("a command cannot put another folder in the place of the home directory of the next one", async () => {
    const ground = await makeGround({ backend })
    const outside = join(ground.base, "outside")
    mkdirSync(outside)
    writeFileSync(join(outside, "key"), "private\n")
    const scratch = join(ground.haftHome, "sessions", "s1", "scratch")
    await ground.run(
      `echo kept > ~/note; cd ${scratch}; for name in home $(ls -A); do mv $name $name.old; ln -s ${outside} $name; done 2>/dev/null`,
    )
    const { stdout } = await ground.run("cat ~/key 2>/dev/null; echo x > ~/planted; cat ~/note")
    expect(stdout).toBe("kept\n")
    expect(existsSync(join(outside, "planted"))).toBe(false)
    await ground.close()
  })

  test("in a wide root the home directory is the session's own all the same", async () => {
    const home = process.env.HOME ?? "/root"
    const ground = await makeGround({ backend, roots: [home], isWide: (path) => path === home, directory: home })
    const { stdout, stderr } = await ground.run("echo kept > ~/note && cat ~/note; echo $HOME", { directory: home })
    expect(stderr).toBe("")
    expect(stdout).toBe(`kept\n${join(ground.haftHome, "sessions", "s1", "home")}\n`)
    await ground.close()
  })
})
