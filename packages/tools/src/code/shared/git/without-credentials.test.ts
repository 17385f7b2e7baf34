import * as fc from "fast-check"
import { expect, test } from "vitest"
import { withoutCredentials } from "./without-credentials.js"

test.each([
  ["https://example.org/a.git", "https://example.org/a.git"],
  ["https://user:pass@example.org/a.git", "https://example.org/a.git"],
  ["https://token@example.org:8443/a", "https://example.org:8443/a"],
  ["https://u:p@ss@example.org/a", "https://example.org/a"],
  ["https://user:pa/ss@example.org/a", "https://example.org/a"],
  ["https://a@b:pa/ss@example.org/a", "https://example.org/a"],
  ["https://example.org/@scope/a", "https://example.org/@scope/a"],
  ["https://u:p@example.org/@scope/a", "https://example.org/@scope/a"],
  ["https://example.org/a?private_token=x#y", "https://example.org/a"],
  ["https://[::1]:8080/a", "https://[::1]:8080/a"],
  ["ssh://git:pass@example.org:22/a", "ssh://git@example.org:22/a"],
  ["git@example.org:a/b.git", "git@example.org:a/b.git"],
  ["git:pass@example.org:a/b.git", "git@example.org:a/b.git"],
  ["ext::sh -c 'curl https://u:p@example.org/'", "ext::sh -c 'curl https://example.org/'"],
  ["/srv/git/a@b.git", "/srv/git/a@b.git"],
  ["file:///srv/a@b.git", "file:///srv/a@b.git"],
  [
    "fatal: unable to access 'https://u:p@example.org/a/': 404",
    "fatal: unable to access 'https://example.org/a/': 404",
  ],
])("%j is shown as %j", (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown)
})

test("no password of an address that works is ever shown", () => {
  const characters = fc.constantFrom(..."abcXYZ019@:%$!~-_.&=+")
  const password = fc.string({ unit: characters, minLength: 1, maxLength: 12 }).map((middle) => `SECRET${middle}SECRET`)
  fc.assert(
    fc.property(fc.constantFrom("https", "http", "ssh", "ftp"), password, (scheme, secret) => {
      expect(withoutCredentials(`${scheme}://user:${secret}@example.org/a`)).not.toContain("SECRET")
    }),
  )
})
