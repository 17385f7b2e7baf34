import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createRedactor, maxJsonDepth, suspects } from "./create-redactor.js"

const key = new Uint8Array(32).fill(1)
const redact = createRedactor({ key, known: [{ name: "DB_PASSWORD", value: 'tr"ick\n/y value' }] })

// Made up in pieces, so that no scanner takes this file for a leak.
const upper = "ABCDEFGHIJKLMNOP"
const mixed = "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5"
const body = `${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(6)}\n`
const examples: readonly (readonly [kind: string, secret: string, around?: readonly [string, string]])[] = [
  ["aws", `AKIA${upper}`],
  ["aws", `ASIA${upper}`],
  ["github", `ghp_${mixed}`],
  ["github", `github_pat_${mixed}_${mixed}`],
  ["gitlab", `glpat-${mixed.slice(0, 20)}`],
  ["slack", `xoxb-123456789012-${mixed}`],
  ["slack", `T00000000/B00000000/${mixed.slice(0, 24)}`, ["https://hooks.slack.com/services/", ""]],
  ["npm", `npm_${mixed}`],
  ["stripe", `sk_live_${mixed}`],
  ["google", `AIza${mixed.slice(0, 35)}`],
  ["openai", `sk-proj-${mixed}`],
  ["anthropic", `sk-ant-api03-${mixed}`],
  ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJ${mixed}.${mixed}`],
  ["bearer", mixed, ["Authorization: Bearer ", ""]],
  ["authorization", "dXNlcjpwYXNz", ["authorization: Basic ", ""]],
  ["url", "p4ss:w@rd", ["postgres://user:", "@host/db"]],
  ["password", "hunter2-hunter2", ["password=", ""]],
  ["key", "0123456789abcdef", ['"api_key": "', '"']],
  ["secret", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY", ["aws_secret_access_key = ", ""]],
  ["token", mixed, ['{\\"authToken\\":\\"', '\\"}']],
  ["private-key", `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----`],
]

describe("shapes", () => {
  test.each(examples)("hides a secret of kind %s", (kind, secret, [before, after] = ["", ""]) => {
    const text = `line one\n${before}${secret}${after}\nline three`
    const redacted = redact(text)
    expect(redacted).toMatch(/\[secret:[a-z-]+:[0-9a-f]{8}\]/)
    expect(redacted).toContain(`[secret:${kind}:`)
    expect(redacted).not.toContain(secret)
    expect(redacted.startsWith("line one\n")).toBe(true)
    expect(redacted.endsWith("\nline three")).toBe(true)
    expect(redact(redacted)).toBe(redacted)
  })

  test.each(examples)(
    "the quick look never overlooks one of kind %s, bare or in JSON",
    (_kind, secret, [before, after] = ["", ""]) => {
      const text = `one\n${before}${secret}${after}\n`
      expect(suspects(text)).toBe(true)
      expect(suspects(JSON.stringify({ content: text }))).toBe(true)
      expect(suspects(JSON.stringify({ content: JSON.stringify({ text }) }))).toBe(true)
    },
  )

  test("a private key whose end was cut off is hidden to its end", () => {
    const redacted = redact(`key:\n-----BEGIN OPENSSH PRIVATE KEY-----\n${body}${body}`)
    expect(redacted).toMatch(/^key:\n\[secret:private-key:[0-9a-f]{8}\]$/)
  })

  test("a private key with headers is hidden whole", () => {
    const headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\n\n"
    const redacted = redact(`-----BEGIN RSA PRIVATE KEY-----\n${headers}${body}-----END RSA PRIVATE KEY-----\nrest`)
    expect(redacted).toMatch(/^\[secret:private-key:[0-9a-f]{8}\]\nrest$/)
  })

  test.each([
    "const token = await readToken(request)",
    "password: z.string().min(8)",
    "type Secret = { token: string; password?: string }",
    "PWD=/work/project2",
    "https://example.com:8080/path@2",
    "ssh://git@github.com/owner/name.git",
    "a task-based-design-with-many-long-words",
    '"integrity": "sha512-abc"',
    "see -----BEGIN PRIVATE KEY----- in the manual",
    "password = process.env.PASSWORD_1",
  ])("leaves ordinary text alone: %s", (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe("values", () => {
  test("a member with a telling name is hidden though its value alone tells nothing", () => {
    const value = { user: "ada", password: "s3cr3t-p4ss", nested: [{ api_key: "0123456789abcdef" }] }
    expect(redact(value)).toEqual({
      user: "ada",
      password: expect.stringMatching(/^\[secret:password:[0-9a-f]{8}\]$/),
      nested: [{ api_key: expect.stringMatching(/^\[secret:key:[0-9a-f]{8}\]$/) }],
    })
  })

  test("a known value is hidden wherever it stands: in text, in keys, escaped, in a URL, in base64", () => {
    const value = 'tr"ick\n/y value'
    const base64 = Buffer.from(value).toString("base64")
    const record = { [value]: [value, JSON.stringify({ value }), encodeURIComponent(value), `x${base64}`] }
    const text = JSON.stringify(redact(record))
    expect(text).not.toContain("ick")
    expect(text).not.toContain(base64.slice(0, 12))
    expect(text.match(/\[secret:db-password:[0-9a-f]{8}\]/g)).toHaveLength(5)
    expect(redact.suspects?.(JSON.stringify(record))).toBe(true)
  })

  test("the same secret has the same mark, another secret or another key another one", () => {
    const mark = (secret: string, by = redact) => by(`password=${secret}`)
    expect(mark("abcd1234")).toBe(mark("abcd1234"))
    expect(mark("abcd1234")).not.toBe(mark("abcd1235"))
    expect(mark("abcd1234")).not.toBe(mark("abcd1234", createRedactor({ key: new Uint8Array(32).fill(2) })))
  })

  test("what holds no secret is given back unchanged, the same object", () => {
    const value = { a: [1, "text", null], b: { c: true } }
    expect(redact(value)).toBe(value)
  })

  test("a known value shorter than six characters is left alone, it would hide ordinary words", () => {
    expect(createRedactor({ key, known: [{ name: "PIN", value: "on" }] })("only one")).toBe("only one")
  })

  test("extreme depth is cut, not thrown at", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}"AKIA${upper}"${"}".repeat(50_000)}`)
    const text = JSON.stringify(redact(deep))
    expect(text).not.toContain("AKIA")
    expect(text.split('"a"')).toHaveLength(maxJsonDepth + 1)
  })
})

describe("promises over any input", () => {
  const pieces = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "password=",
      "token: ",
      '"',
      "\\",
      "://",
      ":",
      "@",
      "-",
      "_",
      ".",
      "Bearer ",
      "=",
      " ",
      "\n",
      "[secret:aws:",
      "]",
    ),
    fc.constantFrom(
      ...examples.map(([, secret]) => secret),
      "eyJ",
      "AKIA",
      "sk-",
      "ghp_",
      "-----BEGIN PRIVATE KEY-----",
      'tr"ick\n/y value',
    ),
    fc.constantFrom("abcd1234", "[secret:known:0123abcd]", "[secret:aws:0123abcd]", "process.", "x2", upper, mixed),
  )
  const hostile = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""))

  test("redacting twice changes nothing more", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = redact(text)
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 3000 },
    )
  })

  test("it is total and idempotent over any JSON, and keeps its form", () => {
    const names = fc.oneof(hostile, fc.constantFrom("password", "api_key", "__proto__", "token"))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        hostile,
        fc.integer(),
        fc.constantFrom(null, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(names, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, (json) => {
        const once = redact(json)
        expect(redact(once)).toEqual(once)
        expect(typeof once).toBe(typeof json)
        expect(Array.isArray(once)).toBe(Array.isArray(json))
      }),
      { numRuns: 1000 },
    )
  })

  test("the quick look says no only where there is nothing to hide", () => {
    const long = "x".repeat(80)
    const names = ["key", "api_key", `SIGNING-KEY${long}`, "inputTokens", "token", `token.${long}`, 'tokens":1,"']
    const values = fc.oneof(hostile, fc.integer(), fc.constantFrom("abcd1234!", "reply:1", null))
    fc.assert(
      fc.property(hostile, fc.constantFrom(...names), values, (text, name, item) => {
        for (const record of [{ text }, { [name]: item }, { text, value: { [name]: item } }]) {
          if (!redact.suspects!(JSON.stringify(record))) expect(redact(record)).toEqual(record)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test("a step with its key and its numbers of tokens passes the quick look, a secret under such a name does not", () => {
    const step = { key: "reply:1", value: { usage: { inputTokens: 1200, outputTokens: 15 }, text: "Done" } }
    expect(redact.suspects!(JSON.stringify(step))).toBe(false)
    const hidden = [
      { inputTokens: "abcd1234!" },
      { sshKey: "abcd1234!" },
      { text: `api-key${"_x".repeat(40)}: abcd1234!` },
    ]
    for (const value of hidden) expect(redact.suspects!(JSON.stringify({ ...step, value }))).toBe(true)
  })
})

describe("hostile input is handled in linear time", () => {
  // Each unit, repeated, once made a pattern start again and again inside one long run. A quadratic pattern would need
  // many minutes for this length, so that the test needs no clock: the runner's own limit catches it.
  const units = [
    "a",
    "eyJ",
    "eyJ-",
    "token",
    "token=",
    "-----BEGIN PRIVATE KEY-----",
    "://a:",
    "://",
    "sk-",
    "ghp_",
    "password: ",
    "bearer ",
    "AKIA",
    "key_",
    "xoxb-",
    "ya29.",
    "Authorization: ",
    "\\",
    '"',
    "=",
    "[secret:aws:",
  ]
  test.each(units)("%j, half a million characters of it", (unit) => {
    const text = unit.repeat(Math.ceil(500_000 / unit.length))
    expect(redact(text).length).toBeGreaterThan(0)
    expect(redact(`${text} AKIA${upper}`)).not.toContain(`AKIA${upper}`)
  })
})
