import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeWireName, encodeWireName, wireNames } from "./wire-name.js"

const part = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,40}$/)
const id = fc.oneof(
  part,
  part.map((tool) => `builtin:${tool}`),
  fc.tuple(part, part).map(([server, tool]) => `mcp:${server}:${tool}`),
)

test("every legal id has a name that providers accept", () => {
  fc.assert(
    fc.property(id, (value) => {
      expect(encodeWireName(value)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    }),
  )
})

test("names of one request lead back to their ids, or the request is refused and both ids are named", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 30 }), (ids) => {
      try {
        const names = wireNames(ids)
        for (const value of ids) expect(names.decode(names.encode(value))).toBe(value)
        expect(new Set(ids.map((value) => names.encode(value))).size).toBe(ids.length)
      } catch (error) {
        expect((error as Error).message).toMatch(/Cannot offer ".+" and ".+" together/)
      }
    }),
  )
})

test("a collision names both tools", () => {
  const names = wireNames(["a:b", "a__b", "c"])
  expect([names.decode("a__b"), names.decode("c")]).toEqual([undefined, "c"])
  expect(() => names.encode("a:b")).toThrow('Cannot offer "a__b" and "a:b" together: both are "a__b" on the wire')
})

test("the calculator goes by the name that the launcher sends", () => {
  expect(encodeWireName("builtin:calculator")).toBe("builtin__calculator")
  expect(decodeWireName("builtin__calculator")).toBe("builtin:calculator")
})
