import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { checkAgentOptions, checkOptions, optionNames } from "./check-options.js"
import { createHaft } from "./create-haft.js"
import type { HaftOptions } from "./options.js"

const folder = mkdtempSync(join(tmpdir(), "haft-options-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rule = { permission: "fs.read", action: "deny" }
const ruleHint = 'Write rules: ["allow fs.write(docs/**)", "deny fs.read(secrets/**)"]'
const parts = "permission, action, pattern, why, recipe, shown, match, no_match"

// Options, what the message says after "Cannot use option ", and the next step.
const wrong: readonly (readonly [unknown, string, string])[] = [
  // Names that nothing has.
  [{ rots: ["."] }, '"rots": there is no such option', 'Did you mean "roots"?'],
  [{ rule: [] }, '"rule": there is no such option', 'Did you mean "rules"?'],
  [{ tolset: "all" }, '"tolset": there is no such option', 'Did you mean "toolset"?'],
  [{ sandbox: { readble: [] } }, '"sandbox.readble": there is no such option', 'Did you mean "sandbox.readable"?'],
  [{ network: { grant: [] } }, '"network.grant": there is no such option', 'Did you mean "network.grants"?'],
  [{ grants: [] }, '"grants": there is no such option', 'Did you mean "network.grants"?'],
  [
    { storage: { retention: { history: { maxByte: 5 } } } },
    '"storage.retention.history.maxByte": there is no such option',
    'Did you mean "storage.retention.history.maxBytes"?',
  ],
  [
    { zzzzzz: 1 },
    '"zzzzzz": there is no such option',
    "The options are roots, toolset, rules, mode, person, tools, home, configuration, workspace, sandbox, network, storage, guard, output, box, git, skills, mcpServers, extensions, hooks",
  ],
  [JSON.parse('{"__proto__": 1}'), '"__proto__": there is no such option', "The options are roots,"],
  // Names of earlier versions.
  [{ netGrants: ["a"] }, '"netGrants": it is "network.grants" now', "Write network: { grants: ... }"],
  [{ store: "mysql://x" }, '"store": it is "storage.store" now', "Write storage: { store: ... }"],
  [{ journal: false }, '"journal": it is "storage.journal" now', "Write storage: { journal: ... }"],
  [{ directory: "." }, '"directory": it is "workspace.directory" now', "Write workspace: { directory: ... }"],
  [{ outputSchema: {} }, '"outputSchema": it is "output.schema" now', "Write output: { schema: ... }"],
  [{ limits: { grep: 1 } }, '"limits": it is "output.limits" now', "Write output: { limits: ... }"],
  [{ manifest: {} }, '"manifest": it is "guard.manifest" now', "Write guard: { manifest: ... }"],
  [{ onEvent: () => {} }, '"onEvent": it is "hooks.onEvent" now', "Write hooks: { onEvent: ... }"],
  [{ skillFolders: [] }, '"skillFolders": it is "skills.paths" now', "Write skills: { paths: ... }"],
  [{ installGit: {} }, '"installGit": it is "git.install" now', "Write git: { install: ... }"],
  [{ only: ["read"] }, '"only": only the command line has it', "Leave it out"],
  // Values that do not fit.
  [{ roots: "." }, '"roots": it must be a list of folders', 'Write roots: ["."]'],
  [{ roots: [] }, '"roots": it must name at least one folder', 'Write roots: ["."]'],
  [{ roots: [1] }, '"roots": it must be a list of folders', 'Write roots: ["."]'],
  [
    { toolset: "everything" },
    '"toolset": it must be a name or a list of names, each one of ',
    'Write toolset: "locked,',
  ],
  [{ mode: "yolo" }, '"mode": it must be one of plan, ask, accept-edits, auto', 'Write mode: "ask"'],
  [{ mode: null }, '"mode": it must be one of plan, ask, accept-edits, auto', 'Write mode: "ask"'],
  [
    { person: { ask: async () => ({ answer: "once" }) } },
    '"person": it must be "headless" or an object with the functions ask and question',
    'Write person: "headless"',
  ],
  [{ tools: {} }, '"tools": it must be a list of tools', "Write tools: [wordCount]"],
  [{ home: "" }, '"home": it must be a string that is not empty', 'Write home: "'],
  [{ rules: rule }, '"rules": it must be a list', ruleHint],
  [{ rules: [rule, { ...rule, action: "alow" }] }, '"rules": number 2 of the list needs an action: allow,', ruleHint],
  [{ rules: [{ action: "deny" }] }, '"rules": number 1 of the list needs a permission, for instance fs.read', ruleHint],
  [{ rules: [{ ...rule, patern: "a" }] }, `"rules": number 1 of the list has "patern": a rule has ${parts}`, ruleHint],
  [{ rules: [{ ...rule, match: "a" }] }, '"rules": number 1 of the list has a match that is not a list of', ruleHint],
  [
    { sandbox: "off" },
    '"sandbox": it must be an object',
    'It has policy, readable, env, envSecrets, unconfined: sandbox: { policy: "required" }',
  ],
  [
    { sandbox: { policy: "none" } },
    '"sandbox.policy": it must be one of required, preferred, off',
    'Write sandbox: { policy: "required" }',
  ],
  [
    { network: { grants: "localhost" } },
    '"network.grants": it must be a list of strings',
    'Write network: { grants: ["localhost:3000"] }',
  ],
  [
    { network: { proxy: "http://p:1" } },
    '"network.proxy": it must be an object',
    'It has http, https, noProxy: network: { proxy: { http: "http://proxy:3128" } }',
  ],
  [
    { network: { registries: [{ name: "a", address: "https://a/", header: "x", secret: "abc" }] } },
    '"network.registries": number 1 of the list must have a name, an address and a header, all strings, and the function secret',
    "Write network: { registries: [",
  ],
  [
    { network: { webSearch: { provider: "gogle" } } },
    '"network.webSearch.provider": it must be one of ddg, wiki, brave, sogou, so360, searxng, tavily',
    'Write network: { webSearch: { provider: "wiki" } }',
  ],
  [
    { storage: { store: "mysql://x" } },
    '"storage.store": it must be the path of a SQLite file or a postgres:// URL',
    'Write storage: { store: "/home/me/journal.db" }',
  ],
  [{ storage: { journal: "no" } }, '"storage.journal": it must be true or false', "Write storage: { journal: false }"],
  [
    { storage: { retention: { sidecars: { maxAgeMs: -1 } } } },
    '"storage.retention.sidecars.maxAgeMs": it must be a whole number above 0',
    "Write storage: { retention: { sidecars: { maxAgeMs: 86_400_000 } } }",
  ],
  [
    { storage: { secrets: ["abc"] } },
    '"storage.secrets": number 1 of the list must have a name and a value, both strings',
    "Write storage: { secrets: [",
  ],
  [
    { guard: { grant: { files: [] } } },
    '"guard.grant": it has "files"; it takes fs, net, shell, capabilities',
    'Write guard: { grant: { fs: { read: ["{workspace}/**"] } } }',
  ],
  [
    { guard: { grant: { fs: { read: "**" } } } },
    '"guard.grant": its fs must have read and write, lists of path patterns',
    'Write guard: { grant: { fs: { read: ["{workspace}/**"] } } }',
  ],
  [
    { guard: { detectors: [{ id: "a" }] } },
    '"guard.detectors": number 1 of the list must have an id and the function inspect',
    "Write guard: { detectors: [",
  ],
  [
    { output: { limits: { grep: "many" } } },
    '"output.limits": "grep" must be a whole number above 0',
    "Write output: { limits: { grep: 50 } }",
  ],
  [
    { box: { minIsolation: "gvisor" } },
    '"box.minIsolation": it was removed, because it never ran an image; it must be one of vm, vm-emulated, container',
    'Write box: { minIsolation: "vm" }',
  ],
  [{ git: { install: "yes" } }, '"git.install": it must be true or false', "Write git: { install: true }"],
  [
    { skills: { paths: ["skills"] } },
    '"skills.paths": it must be a list of absolute paths',
    'Write skills: { paths: ["/home/me/skills"] }',
  ],
  [{ hooks: { onEvent: "log" } }, '"hooks.onEvent": it must be a function', "Write hooks: { onEvent: (event) => "],
  [
    { hooks: { settings: {} } },
    '"hooks.settings": it must be an object with the functions get and set',
    "Write hooks: { settings: { get, set } }",
  ],
]

test.each(wrong)("%j is refused", async (options, message, hint) => {
  const home = join(folder, "state")
  const given: object = { ...Object(options) }
  // Everything else is fine, so only the wrong option can be what stops it; nothing may be made on the disk.
  const all = Object.hasOwn(given, "home") ? given : { ...given, home }
  const failure = await createHaft(all as HaftOptions).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: "invalid_args" })
  const { message: said, hint: next } = failure as { message: string; hint: string }
  expect(said.startsWith(`Cannot use option ${message}`), said).toBe(true)
  expect(next.startsWith(hint), next).toBe(true)
  expect(existsSync(home)).toBe(false)
})

test.each([null, "x", []])("the options %j are no object", async (options) => {
  await expect(createHaft(options as never)).rejects.toMatchObject({
    code: "invalid_args",
    message: "Cannot use the options: they must be an object",
    hint: 'Write createHaft({ roots: ["."] })',
  })
})

test.each([
  {},
  { roots: undefined, storage: undefined, network: { proxy: undefined } },
  { toolset: ["locked", "code"], mode: "plan", person: "headless", tools: [] },
  { rules: [{ ...rule, source: { scope: "user" }, authority: 1 }] },
  { storage: { store: "postgres://me@db/haft" } },
  { storage: { store: "postgresql://me@db/haft" } },
  { storage: { store: "C:\\haft\\journal.db", retention: { history: { maxBytes: 5 } } } },
  { guard: { grant: { fs: { read: ["{workspace}/**"] }, net: { hosts: ["*"] }, shell: [{ cmd: "*" }] } } },
])("%j is taken", (options) => {
  expect(() => checkOptions(options)).not.toThrow()
})

const model = "script:a.jsonl"
const kinds = '"model": it must be PROVIDER:NAME, script:FILE or a model of a provider of AI SDK 6 or 7'
const wrongAgents: readonly (readonly [unknown, string, string])[] = [
  [{ model, limit: {} }, '"limit": there is no such option', 'Did you mean "limits.max'],
  [{ model, journal: false }, '"journal": there is no such option', "The options are model, baseUrl,"],
  [{ model, limits: { maxStep: 1 } }, '"limits.maxStep": there is no such option', 'Did you mean "limits.maxSteps"?'],
  [{ model, limits: { maxSteps: "20" } }, '"limits.maxSteps": it must be a whole number above 0', "Write limits: {"],
  [{ model, limits: { maxCost: -1 } }, '"limits.maxCost": it must be a number above 0', "Write limits: {"],
  [{ model, person: "event" }, '"person": it must be "headless", "events" or an object', 'Write person: "events"'],
  [{ model: 5 }, kinds, 'Write model: "anthropic:'],
  [{ model: {} }, kinds, 'Write model: "anthropic:'],
  [{ model: { specificationVersion: "v2", provider: "x", modelId: "y", doStream: () => {} } }, kinds, "Write model: "],
]

test.each(wrongAgents)("an agent with %j is refused", (options, message, hint) => {
  const failure = failureOf(() => checkAgentOptions(options))
  expect(failure).toMatchObject({ code: "invalid_args" })
  expect(failure.message.startsWith(`Cannot use option ${message}`), failure.message).toBe(true)
  expect(failure.hint.startsWith(hint), failure.hint).toBe(true)
})

test.each([undefined, null, "script:a.jsonl", {}, { modle: "x:y" }])("an agent of %j has no model", (options) => {
  expect(failureOf(() => checkAgentOptions(options))).toMatchObject({
    code: "invalid_args",
    message: "Cannot make an agent: it has no model",
    hint: 'Write haft.agent({ model: "anthropic:claude-sonnet-4-5" })',
  })
})

test.each([
  { model },
  { model, limits: { maxSteps: 1, maxCost: 0.5, maxTimeMs: 1500.5 }, session: undefined, person: "events" },
  { model: { specificationVersion: "v3", provider: "x", modelId: "y", doStream: () => {} } },
  { model: { specificationVersion: "v4", provider: "x", modelId: "y", doStream: () => {} } },
])("an agent with %j is taken", (options) => {
  expect(() => checkAgentOptions(options)).not.toThrow()
})

function failureOf(act: () => void): { readonly message: string; readonly hint: string } {
  try {
    act()
  } catch (error) {
    return error as { message: string; hint: string }
  }
  throw new Error("nothing was thrown")
}

test("a root that is missing or a file is refused with the next step", async () => {
  const refused = (roots: readonly string[]) => createHaft({ roots, home: join(folder, "state") })
  const hint = "Name a folder that exists"
  await expect(refused([join(folder, "none")])).rejects.toMatchObject({ code: "not_found", hint })
  await expect(refused([import.meta.filename])).rejects.toMatchObject({
    message: `Cannot use "${import.meta.filename}" as a root: it is a file`,
    hint,
  })
})

test("the page about the library names every option", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/library.md"), "utf8")
  expect(optionNames().filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
