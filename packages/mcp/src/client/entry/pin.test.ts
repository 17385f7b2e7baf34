import { expect, test } from "vitest"
import { launchChanges, launchOf, pinDigest, type ToolText, toolChanges } from "./pin.js"
import { readEntry } from "./server-entry.js"

const program = {
  command: "serve",
  args: ["--quiet"],
  env: { TOKEN: "secret" },
  net: ["example.com"],
  workspace: "read",
  readable: ["/opt/data"],
}
const address = { url: "https://example.com/mcp", headers: { "X-Key": "secret" } }
const launch = (entry: object, found?: string) => launchOf(readEntry("fake", entry), found)

test.each([
  ["command line", program, { command: "other" }],
  ["command line", program, { args: [] }],
  ["names of variables", program, { env: { OTHER: "secret" } }],
  ["hosts", program, { net: ["example.com", "example.org"] }],
  ["workspace", program, { workspace: "write" }],
  ["readable paths", program, { readable: ["/"] }],
  ["address", address, { url: "https://example.org/mcp" }],
  ["names of headers", address, { headers: {} }],
])("trust ends when the %s of a server changes: %#", (what, entry, change) => {
  const before = launch(entry)
  expect(launchChanges(before, launch(entry))).toEqual([])
  const now = launch({ ...entry, ...change })
  expect(launchChanges(before, now)).toContainEqual(expect.stringContaining(`its ${what} was`))
  expect(pinDigest(now, [])).not.toBe(pinDigest(before, []))
})

test("trust ends when the command stands for another program, or a program becomes an address", () => {
  const before = launch(program, "/usr/bin/serve")
  expect(launchChanges(before, launch(program, "/tmp/serve"))).toEqual([
    'its program was "/usr/bin/serve" and is now "/tmp/serve"',
  ])
  expect(launchChanges(before, launch(address))).toEqual(["it was reached by stdio and is now reached by http"])
})

test("values of variables and headers are no part of what is kept, and may change", () => {
  for (const entry of [program, address]) expect(JSON.stringify(launch(entry))).not.toContain("secret")
  expect(launchChanges(launch(program), launch({ ...program, env: { TOKEN: "new" } }))).toEqual([])
})

const inFolder = (entry: object) => launchOf(readEntry("fake", entry, { folder: "/work" }))

test.each([
  ["variables", program, { env: { TOKEN: "new" } }],
  ["headers and oauth", address, { headers: { "X-Key": "new" } }],
  ["headers and oauth", address, { oauth: { scope: "all" } }],
])("in a file of a folder trust ends when the values of its %s change: %#", (what, entry, change) => {
  const before = inFolder(entry)
  expect(JSON.stringify(before)).not.toContain("secret")
  expect(launchChanges(before, inFolder({ ...entry }))).toEqual([])
  expect(launchChanges(before, inFolder({ ...entry, ...change }))).toEqual([`the values of its ${what} changed`])
})

test.each(["scope", "clientId", "clientSecret"])("a header may be called %s, as a part of oauth is", (name) => {
  const entry = { ...address, oauth: { [name]: "mine" } }
  const before = inFolder({ ...entry, headers: { [name]: "plain" } })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the user
  const now = inFolder({ ...entry, headers: { [name]: "${AWS_SECRET_ACCESS_KEY}" } })
  expect(launchChanges(before, now)).toEqual(["the values of its headers and oauth changed"])
})

test("trust from before values belonged to it ends", () => {
  for (const [entry, what] of [
    [program, "variables"],
    [address, "headers and oauth"],
  ] as const) {
    const { values: _, ...before } = inFolder(entry)
    expect(launchChanges(before, inFolder(entry))).toEqual([`nobody has looked at the values of its ${what}`])
  }
})

const tool: ToolText = {
  name: "send",
  title: "Send",
  description: "Sends it",
  inputSchema: { type: "object", properties: { to: { type: "string" } } },
  outputSchema: { type: "object" },
  annotations: { destructiveHint: true },
}

test.each([
  ["title", { title: "Save" }],
  ["description", { description: "Sends it, and a copy to me" }],
  ["input schema", { inputSchema: { type: "object", properties: { to: { type: "string", default: "me" } } } }],
  ["output schema", { outputSchema: { type: "object", required: ["id"] } }],
  ["annotations", { annotations: { readOnlyHint: true } }],
])("trust in a tool ends when its %s changes", (what, change) => {
  expect(toolChanges([tool], [{ ...tool }])).toEqual({ changed: new Map(), removed: [], added: [] })
  const now = { ...tool, ...change }
  expect(toolChanges([tool], [now]).changed).toEqual(new Map([["send", `its ${what} changed`]]))
  expect(pinDigest(launch(program), [now])).not.toBe(pinDigest(launch(program), [tool]))
})

test("tools that went and tools that came are told apart", () => {
  const other = { ...tool, name: "fetch" }
  expect(toolChanges([tool], [other])).toEqual({ changed: new Map(), removed: ["send"], added: ["fetch"] })
})
