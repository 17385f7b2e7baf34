import fc from "fast-check"
import { expect, test } from "vitest"
import { carriesHeader, openRegistry, type PrivateRegistry } from "./private-registry.js"

const registry = (more: Partial<PrivateRegistry> = {}) =>
  openRegistry({
    name: "work",
    address: "https://npm.example/team/npm",
    header: "X-Key",
    secret: () => "hush",
    ...more,
  })

test("an address is a host, a port and a path", () => {
  expect(registry()).toMatchObject({ host: "npm.example", port: 443, path: "/team/npm/", header: ["x-key", "hush"] })
  expect(registry({ address: "https://NPM.example:8443" })).toMatchObject({ port: 8443, path: "/" })
  expect(registry({ scheme: "Bearer" }).header[1]).toBe("Bearer hush")
})

test.each([
  { address: "http://npm.example/" },
  { address: "https://me:hush@npm.example/" },
  { address: "https://npm.example/?token=hush" },
  { address: "npm.example" },
  { header: "content-length" },
  { header: "x y" },
  { secret: () => "two\nlines" },
])("%j is refused without the secret in the words", (more) => {
  expect(() => registry(more)).toThrow(/^Cannot use the private registry "work": /)
  expect(() => registry(more)).not.toThrow(/hush|two/)
})

test.each([
  ["GET", "/team/npm", true],
  ["GET", "/team/npm/@scope%2fname", true],
  ["HEAD", "/team/npm/x/-/x-1.0.0.tgz", true],
  ["GET", "/team/npm..x/", false],
  ["GET", "/team/npm-other/x", false],
  ["GET", "/team/", false],
  ["GET", "/team/npm/..%2f..%2fadmin", false],
  ["GET", "/team/npm/%2e%2e%5cadmin", false],
  ["GET", "/team/npm/..;/admin", false],
  ["GET", "/team/npm/100%25/x", true],
  ["GET", "/team/npm/a..b/x", true],
  ["GET", "/team/npm/%252e%252e/admin", false],
  ["GET", "/team/npm/..%252fadmin", false],
  ["GET", "/team/npm/..%3b/admin", false],
  ["GET", "/team/npm/..%00/admin", false],
  ["GET", "/team/npm/x%00/admin", false],
  ["GET", "/team/npm/%c0%ae%c0%ae/admin", false],
  ["GET", "/team/npm/%u002e%u002e/admin", false],
  ["PUT", "/team/npm/x", false],
  ["POST", "/team/npm/x", false],
  ["DELETE", "/team/npm/x", false],
] as const)("%s %s: %s", (method, path, expected) => expect(carriesHeader(registry(), method, path)).toBe(expected))

test("whatever is asked for, a path with .. in it gets nothing", () => {
  const piece = fc.constantFrom("..", "%2e%2E", ".%2e", "/", "%2f", "%5C", "a")
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const { pathname } = new URL(`https://npm.example/team/npm/${pieces.join("")}`)
      const segments = decodeURIComponent(pathname).replaceAll("\\", "/").split("/")
      return !segments.includes("..") || !carriesHeader(registry(), "GET", pathname)
    }),
  )
})
