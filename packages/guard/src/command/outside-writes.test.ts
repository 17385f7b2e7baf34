import type { PlacedRule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { defaultsAnd, rule, variables } from "../../test/world.js"
import { outsideWrites } from "./sandbox-for.js"

const outsideOf = async (line: string, ...rules: readonly PlacedRule[]) => {
  const { parts, judgement } = await judgeLine(defaultsAnd(...rules), line)
  return outsideWrites(parts, judgement, variables).map(
    ({ kind, path, allowed }) => `${kind} ${path}${allowed ? " allowed" : ""}`,
  )
}

describe("outsideWrites", () => {
  test.each([
    ["touch a src/b", []],
    ["cat /etc/passwd ../b", []],
    ["echo x > /dev/null 2> /dev/stderr", []],
    ["touch ../b", ["fs.write /home/me/b"]],
    ["cd .. && touch b && touch b", ["fs.write /home/me/b"]],
    ["echo x > ~/b", ["fs.write /home/me/b"]],
    ["rm -r ../b", ["fs.delete /home/me/b"]],
    ["mv ../a ../b", ["fs.write /home/me/b", "fs.delete /home/me/a"]],
    ["mkdir ../a && touch ../a/b", ["fs.write /home/me/a"]],
    ["touch /home/me/apple", ["fs.write /home/me/apple"]],
    ["cp a ../b", ["fs.write /home/me/b"]],
    [`touch ${variables.scratch[0]}/x`, []],
  ])("%s", async (line, expected) => {
    expect(await outsideOf(line)).toEqual(expected)
  })

  test("a rule about the program allows none of them, a rule about the file does", async () => {
    expect(await outsideOf("touch ../b", rule("flag", "allow", "bash"))).toEqual(["fs.write /home/me/b"])
    const allowed = rule("flag", "allow", "fs.write(/home/me/b)")
    expect(await outsideOf("touch ../b ../c", allowed)).toEqual(["fs.write /home/me/b allowed", "fs.write /home/me/c"])
  })

  test("of a copy into an existing folder the copy is meant, not the folder", async () => {
    const { parts, judgement } = await judgeLine(defaultsAnd(), "cp a ..")
    const known = parts.map((part) => ({
      ...part,
      effects: part.effects.map((effect) =>
        effect.kind !== "net.fetch" && effect.at.resolved === "/home/me"
          ? { ...effect, at: { ...effect.at, kind: "directory" as const } }
          : effect,
      ),
    }))
    expect(outsideWrites(known, judgement, variables).map(({ path }) => path)).toEqual(["/home/me/a"])
  })
})
