import { expect, test } from "vitest"
import { judgeWith, rule, write } from "../../test/world.js"
import { stricterJudgement } from "./judge.js"

test("a child is held to the stricter of its own verdict and its parent's", () => {
  const mildest = [
    judgeWith([rule("user", "allow", "write")], write("a")),
    judgeWith([], write("a")),
    judgeWith([rule("user", "ask", "write")], write("a")),
    judgeWith([rule("managed", "ask", "write")], write("a")),
    judgeWith([rule("user", "deny", "write")], write("a")),
  ]
  mildest.forEach((milder, index) => {
    for (const stricter of mildest.slice(index)) {
      expect(stricterJudgement(milder, stricter)).toBe(stricter)
      expect(stricterJudgement(stricter, milder)).toBe(stricter)
    }
  })
})
