import { describe, expect, test } from "vitest"
import { bringsToken, type ForeignMark, foreignMark } from "./loopback-access.js"

const own = { host: "127.0.0.1:8080" }

describe("a request to a server on this machine", () => {
  test.each<[string, Record<string, string>, ForeignMark | undefined]>([
    ["of a program", own, undefined],
    ["under the other name", { host: "localhost:8080" }, undefined],
    ["in other letters", { host: "LocalHost:8080", origin: "HTTP://LOCALHOST:8080" }, undefined],
    ["of its own page", { ...own, origin: "http://127.0.0.1:8080", "sec-fetch-site": "same-origin" }, undefined],
    ["that a person typed", { ...own, "sec-fetch-site": "none" }, undefined],
    ["without a host", {}, "host"],
    ["without a port", { host: "127.0.0.1" }, "host"],
    ["to another port", { host: "127.0.0.1:1" }, "host"],
    ["to a name that was pointed here", { host: "evil.example:8080" }, "host"],
    ["to a name that begins as ours", { host: "127.0.0.1.evil.example:8080" }, "host"],
    ["to a name with ours as its user", { host: "127.0.0.1:8080@evil.example" }, "host"],
    ["of a page of another site", { ...own, origin: "https://evil.example" }, "origin"],
    ["of a page without an origin", { ...own, origin: "null" }, "origin"],
    ["of a page on another port", { ...own, origin: "http://127.0.0.1:1" }, "origin"],
    ["of a page under our other name", { ...own, origin: "http://localhost:8080" }, "origin"],
    ["of a page over TLS", { ...own, origin: "https://127.0.0.1:8080" }, "origin"],
    ["with an empty origin", { ...own, origin: "" }, "origin"],
    ["to a port that only begins as ours", { host: "127.0.0.1:80800" }, "host"],
    ["to a port that is none", { host: "127.0.0.1:8080x" }, "host"],
    ["that another site sent", { ...own, "sec-fetch-site": "cross-site" }, "sec-fetch-site"],
    ["that the same site sent", { ...own, "sec-fetch-site": "same-site" }, "sec-fetch-site"],
    ["with a mark that nobody knows", { ...own, "sec-fetch-site": "" }, "sec-fetch-site"],
  ])("%s", (_what, headers, mark) => {
    expect(foreignMark((name) => headers[name], 8080)).toBe(mark)
  })
})

describe("a request that may come through a forwarded port", () => {
  test.each<[string, Record<string, string>, ForeignMark | undefined]>([
    ["of a program", { host: "localhost:1" }, undefined],
    ["of a page of that port", { host: "localhost:1", origin: "http://localhost:1" }, undefined],
    ["of a page of another port", { host: "localhost:1", origin: "http://localhost:2" }, "origin"],
    ["through port 80", { host: "localhost" }, undefined],
    ["through IPv6", { host: "[::1]:1" }, undefined],
    ["without a host", {}, "host"],
    ["to a port that is none", { host: "localhost:x" }, "host"],
    ["to a name that was pointed here", { host: "evil.example:1" }, "host"],
    ["to a name that begins as ours", { host: "localhost.evil.example:1" }, "host"],
    ["to a name that ends as ours", { host: "evil.example/localhost:1" }, "host"],
    ["that the same site sent", { host: "localhost:1", "sec-fetch-site": "same-site" }, "sec-fetch-site"],
  ])("%s", (_what, headers, mark) => {
    expect(foreignMark((name) => headers[name])).toBe(mark)
  })
})

describe("the token", () => {
  const token = "a-token-of-some-length"

  test.each<[string | undefined, boolean]>([
    [`Bearer ${token}`, true],
    [`bearer   ${token}`, true],
    [undefined, false],
    ["", false],
    ["Bearer", false],
    ["Bearer ", false],
    [token, false],
    [`Basic ${token}`, false],
    [`Bearer ${token}x`, false],
    [`Bearer ${token.slice(1)}`, false],
    [`Bearer ${token} x`, false],
    [`Bearer x ${token}`, false],
    [`xBearer ${token}`, false],
  ])("in %j", (header, is) => {
    expect(bringsToken(header, token)).toBe(is)
  })
})
