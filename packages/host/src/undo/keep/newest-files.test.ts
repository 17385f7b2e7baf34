import fc from "fast-check"
import { expect, test } from "vitest"
import { NewestFiles } from "./newest-files.js"

test("files are taken from the newest on, whatever is added in between", () => {
  const step = fc.oneof({ weight: 2, arbitrary: fc.nat(50) }, fc.constant("take" as const))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const files = new NewestFiles()
      const waiting = new Map<string, number>()
      let count = 0
      const takeOne = () => {
        const newest = Math.max(...waiting.values())
        const path = files.take()
        if (waiting.size === 0) return expect(path).toBeUndefined()
        expect(waiting.get(path!)).toBe(newest)
        waiting.delete(path!)
        expect(files.size).toBe(waiting.size)
      }
      for (const each of steps) {
        if (each === "take") takeOne()
        else {
          count += 1
          files.add(`/folder${count % 3}`, `file${count}`, each)
          waiting.set(`/folder${count % 3}/file${count}`, each)
        }
      }
      while (waiting.size > 0) takeOne()
      takeOne()
    }),
  )
})
