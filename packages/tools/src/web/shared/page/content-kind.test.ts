import { expect, test } from "vitest"
import { contentKind } from "./content-kind.js"

const kindOf = async (body: string, headers: Record<string, string> = {}) => {
  const bytes = new TextEncoder().encode(body)
  const answer = { url: "http://x.test/", status: 200, statusText: "", headers, body: bytes, cut: false, redirects: [] }
  return (await contentKind(answer)).kind
}

test("a page without a content type is found by its beginning, after any comments", async () => {
  expect(await kindOf("<!doctype html><p>x")).toBe("html")
  expect(await kindOf(" <!-- a --> <!----> <!-- > - -- -->\n<html><p>x")).toBe("html")
  expect(await kindOf("<!-- never ended <html>")).toBe("text")
  expect(await kindOf("<headline>")).toBe("text")
})

// A pattern that backtracks over comments needs longer than the universe has time for this one.
test("a body that is nothing but comments is looked at in no time", { timeout: 20_000 }, async () => {
  expect(await kindOf(`${"<!---->".repeat(145)}x`)).toBe("text")
  expect(await kindOf("<!-- ".repeat(300), { "content-type": "application/octet-stream" })).toBe("text")
})
