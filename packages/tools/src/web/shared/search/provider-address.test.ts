import { expect, test } from "vitest"
import { providerAddress } from "./provider-address.js"

test.each([
  ["https://host", "https://host/search?q=x"],
  ["https://host/", "https://host/search?q=x"],
  ["https://host/below/", "https://host/below/search?q=x"],
  ["https://host/below/search", "https://host/below/search?q=x"],
  ["https://host/?language=de#part", "https://host/search?language=de&q=x"],
])("below %s the search is at %s", (base, address) => {
  expect(providerAddress(base, "/search", { q: "x" })).toBe(address)
})

test.each(["", "host", "ftp://host/", "http://"])("%j is no endpoint", (base) => {
  expect(() => providerAddress(base, "/search")).toThrow("is no http or https address")
})
