import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { callWorld, rule } from "../../../test/call-world.js"
import { evaluate } from "./evaluate.js"
import { grantFor } from "./grant.js"

const grantOf = async (world: ReturnType<typeof callWorld>, path: string) => {
  const request = world.request(path, { approved: true })
  return grantFor(request, await evaluate(request))
}

test("an answered call may write what was judged, and nothing beside it", async () => {
  const world = callWorld()
  const grant = await grantOf(world, "a.txt")
  expect(grant.admits("fs.write", join(world.workspace, "a.txt"))).toBe(true)
  expect(grant.admits("fs.write", join(world.workspace, "b.txt"))).toBe(false)
  expect(grant.admits("fs.read", join(world.workspace, "a.txt"))).toBe(false)
  expect(grant.admits("fs.delete", join(world.workspace, "a.txt"))).toBe(false)
  expect(grant.admits("fs.write", "/etc/passwd")).toBe(false)
})

test("the grant is asked with the path behind a link, and holds for that alone", async () => {
  const world = callWorld()
  mkdirSync(join(world.workspace, "real"))
  symlinkSync("real", join(world.workspace, "link"))
  const grant = await grantOf(world, "link/a.txt")
  expect(grant.admits("fs.write", join(world.workspace, "real/a.txt"))).toBe(true)
  expect(grant.admits("fs.write", join(world.workspace, "real/b.txt"))).toBe(false)
})

test("a rule that denies a file closes it to a grant that covers its folder", async () => {
  const world = callWorld({ rules: [rule("flag", "allow", "fs.write"), rule("user", "deny", "fs.write(secret/**)")] })
  writeFileSync(join(world.workspace, "a.txt"), "")
  const grant = await grantOf(world, "a.txt")
  expect(grant.admits("fs.write", join(world.workspace, "secret/key"))).toBe(false)
  expect(grant.denies("fs.write", join(world.workspace, "secret/key"))).toBe(true)
  expect(grant.admits("fs.write", join(world.workspace, "other"))).toBe(true)
})

test("a grant never admits what the verdict did not name, for any two paths", async () => {
  const name = fc.stringMatching(/^[a-c]{1,2}$/)
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"))
  let refused = 0
  await fc.assert(
    fc.asyncProperty(path, path, async (judged, other) => {
      const world = callWorld()
      const grant = await grantOf(world, judged)
      const isNamed = other === judged || other.startsWith(`${judged}/`)
      if (!isNamed) {
        refused += 1
        expect(grant.admits("fs.write", join(world.workspace, other))).toBe(false)
      }
      expect(grant.admits("fs.write", join(world.workspace, judged))).toBe(true)
    }),
    { numRuns: 100 },
  )
  expect(refused).toBeGreaterThan(50)
})
