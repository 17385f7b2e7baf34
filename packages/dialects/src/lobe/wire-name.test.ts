import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { md5, wireName } from "./wire-name.js"

describe("names on the wire", () => {
  test("MD5 as everybody computes it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(md5(text)).toBe(createHash("md5").update(text).digest("hex"))
      }),
    )
  })

  test("short names stay; from 64 characters on the API is hashed, then the identifier", () => {
    expect(wireName(`lobe-local-system____runCommand`)).toBe(`lobe-local-system____runCommand`)
    const api = "a".repeat(60)
    const hash = (text: string) => `MD5HASH_${createHash("md5").update(text).digest("hex").slice(0, 12)}`
    expect(wireName(`pkg____${api}`)).toBe(`pkg____${hash(api)}`)
    expect(wireName(`${"p".repeat(50)}____${api}`)).toBe(`${hash("p".repeat(50))}____${hash(api)}`)
    expect(wireName(`pkg____${"a".repeat(56)}`)).toHaveLength(63)
    expect(wireName(`pkg____${"a".repeat(57)}`)).toBe(`pkg____${hash("a".repeat(57))}`)
  })

  test("any name fits, and different ones stay different", () => {
    const name = fc.stringMatching(/^[a-z-]{1,70}$/)
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, name), { selector: (pair) => pair.join(" ") }), (pairs) => {
        const wired = pairs.map(([identifier, api]) => wireName(`${identifier}____${api}`))
        expect(wired.every((each) => each.length < 64)).toBe(true)
        expect(new Set(wired).size).toBe(pairs.length)
      }),
    )
  })
})
