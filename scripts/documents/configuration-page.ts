import { authorities } from "@haft/contract"
import { variables } from "../../packages/haft/src/config/environment-layer.js"
import type { Setting } from "../../packages/haft/src/config/setting.js"
import { code, fence, generatedNote, page, table } from "./markdown.js"
import type { NamedToolset } from "./toolsets-of.js"

/** The page of everything that can be configured. */
export function configurationPage(settings: readonly Setting[], toolsets: readonly NamedToolset[]): string {
  return page(
    generatedNote,
    "# Configuration",
    'Haft needs no configuration. Files are JSON with comments; `$schema` may name `schema/haft.schema.json` of the package. A dot in a key is an object in the file: `net.grants` is `{ "net": { "grants": [...] } }`, as `haft config set net.grants \'["localhost:3000"]\'` writes it. An unknown key is an error that names its line. `haft config explain KEY` says which file won and what was ignored.',
    "## Files",
    "Later ones win over earlier ones; lists of rules, hosts, paths and hooks add up. The managed file comes last and may only tighten.",
    table(["file", "whose", "what it may do"], files),
    "A folder is untrusted until you say `haft trust`: of its files only deny and ask rules, `mode: plan` and smaller limits hold until then. Trust holds for the entries that you saw; a changed entry is inactive until you look at it again. `haft doctor` names files that look like these and are not read. `.env` files are never read.",
    "## Variables",
    table(
      ["variable", "sets"],
      [
        ...Object.entries(variables).map(([name, key]) => [
          code(name),
          key === "language" ? code(key) : `${code(key)}; it may only tighten`,
        ]),
        [code("HAFT_LIMIT_<TOOL>"), `${code("limits.<tool>")}; it may only tighten`],
        [
          code("HAFT_HOME"),
          "the folder of state: journal, sessions, file history; by default `$XDG_DATA_HOME/haft` (`~/.local/share/haft`)",
        ],
        [code("HAFT_CONFIG"), "your own file, instead of the one below `XDG_CONFIG_HOME`"],
        [code("HAFT_TOKEN"), "the token of `haft serve`"],
        [code("HAFT_ACCESSIBLE"), "`1`: prompts without moving the cursor"],
        [code("HAFT_DEBUG"), "`1`: shows where a defect happened"],
        [
          ["LC_ALL", "LC_MESSAGES", "LANG"].map(code).join(", "),
          "the language of words for people where neither `--lang` nor `language` is set: Chinese for `zh`, `zh_CN`, `zh_SG` and `zh-Hans`. For locales of traditional characters it is English, unless you choose `zh-CN`.",
        ],
      ],
    ),
    "## Keys",
    "*Who*: `user` is your own file and flags; `trusted` also the files of a trusted folder; `anyone` every file, because nothing depends on it. Every other source may only tighten the value, and only where one value is tighter than another.",
    table(["key", "meaning", "value", "default", "who", "example"], settings.map(row)),
    "## Rules",
    "`rules` is a list. A rule has a `permission` (a tool id, `fs.read`, `fs.write`, `fs.delete`, `shell.run`, `net.fetch`, or `*`) and an `action` (`allow`, `deny`, `ask`). It may have a `pattern`, a `why`, and samples that `haft rule test` checks (`match`, `no_match`).",
    fence(
      `{\n  "rules": [\n    { "permission": "fs.write", "pattern": "src/**", "action": "allow" },\n    { "permission": "bash", "pattern": "git push *", "action": "deny", "why": "releases are made elsewhere",\n      "match": ["git push origin main"], "no_match": ["git pull"] }\n  ]\n}`,
      "jsonc",
    ),
    table(["pattern", "means"], patterns),
    "On the command line a rule is written `permission(pattern)`: `--allow 'fs.write(src/**)'`. In code it is a text with its action: `rules: [\"allow fs.write(src/**)\"]`. A deny or an ask holds unless a milder rule has a narrower pattern; against a deny that rule also needs at least the same [authority](#scopes). A built-in rule that is marked final always holds. The order of rules has no influence. `haft explain` names the rule that decides a call. The built-in rules are on [a page of their own](rules.md).",
    "## Modes",
    table(["mode", "what happens to what no rule settles"], modeRows),
    "## Toolsets",
    table(
      ["toolset", "tools"],
      toolsets.map(({ name, tools }) => [code(name), tools.map(code).join(", ")]),
    ),
    "`all` is every tool. `haft call` and `haft explain` know every tool, `haft tools` those of Haft itself (`haft mcp list` has the servers); `run`, `chat`, `acp`, `serve` and the library begin with `locked,code`, `mcp` with `locked`.",
    "## Scopes",
    "A rule has the authority of the place it comes from. The built-in rules about secrets and about Haft's own state have the authority of `user`; `haft rule list` prints it for every rule.",
    table(
      ["scope", "authority"],
      Object.entries(authorities).map(([scope, number]) => [scope, String(number)]),
    ),
  )
}

const files = [
  ["`$XDG_CONFIG_HOME/haft/config.jsonc` (`~/.config/haft/config.jsonc`)", "yours, for every project", "everything"],
  ["`$XDG_CONFIG_HOME/haft/projects/*.jsonc`", "your saved answers, one file a project", "rules; written by Haft"],
  ["`haft.jsonc`", "the project's, shared", "every key that is not for `user` alone, once the folder is trusted"],
  ["`haft.local.jsonc`", "the project's, yours, not in git", "the same"],
  ["`HAFT_*` variables, then flags", "this run", "variables may only tighten; flags may do everything"],
  ["`/etc/haft/managed.jsonc`", "the administrator's", "tighten, with the last word"],
  ["`.mcp.json`", "MCP servers, as other clients read them", "nothing before `haft mcp trust`"],
  ["`AGENTS.md`, `CLAUDE.md`, skills", "texts for a model", "no permission"],
]

const patterns = [
  [
    "`src/a.ts`, `src/**`, `**/*.ts`",
    "paths; relative ones start at each root, `~/` and `{workspace}/` and `/` are absolute",
  ],
  ["`example.org`, `*.example.org`, `example.org:8080`, `@npm`", "hosts; `@` names a bundle"],
  ["`git status`, `git push *`", "commands, word by word; a last `*` is any further words"],
  ["`setting=theme`", "an argument of another tool"],
]

const modeRows = [
  ["`plan`", "nothing is written but the plan; no rule widens that"],
  ["`ask`", "a person is asked; without one it is denied"],
  ["`accept-edits`", "files of the workspace may be changed, and common build and test commands run"],
  ["`auto`", "allowed where every effect stays inside the roots, the sandbox and the granted hosts"],
]

function row({ key, about, type, initial, from }: Setting): readonly string[] {
  const value = type.kind === "choice" ? type.choices.map(code).join(", ") : (kinds[type.kind] ?? type.kind)
  const usual = initial === undefined ? (unset[key] ?? "") : code(String(initial))
  return [code(key), about, value, usual, from, exampleOf(key, type)]
}

const kinds: Readonly<Partial<Record<Setting["type"]["kind"], string>>> = {
  text: "a text",
  texts: "a list of texts",
  store: "a path or a `postgres://` URL",
  names: "a name, a comma list or a list",
  count: "a whole number",
  switch: "true or false",
  object: "an object",
  hooks: "a list of hooks ([form](hooks.md))",
}

/** What holds where a setting has no value. */
const unset: Readonly<Record<string, string>> = {
  "limits.*": "that of the tool",
  "webSearch.provider": "one that needs no key",
  "webSearch.endpoints.*": "the public one",
  "box.minIsolation": "`vm-emulated`",
  "box.defaultImage": "the only one installed",
  "retention.history.maxBytes": "1 GiB",
  "retention.history.maxDays": "30",
  store: "`journal.db` in `HAFT_HOME`",
  language: "that of the locale",
  contextTokens: "that of the list of prices",
  summaryModel: "the model itself",
}

const written: Readonly<Record<string, string>> = {
  model: '"anthropic:claude-sonnet-4-5"',
  baseUrl: '"http://127.0.0.1:11434/v1"',
  contextTokens: "32768",
  summaryModel: '"anthropic:claude-haiku-4-5"',
  unconfined: '["git push"]',
  readable: '["/opt/sdk"]',
  env: '["JAVA_HOME"]',
  "net.grants": '["localhost:3000"]',
  "net.proxy": '"http://proxy.example:3128"',
  "net.registries.*":
    '{ "address": "https://npm.example/", "header": "authorization", "scheme": "Bearer", "secret": "env:NPM_TOKEN" }',
  "limits.*": '"limits": { "grep": 50 }',
  "webSearch.callsPerSession": "10",
  "webSearch.timeoutMs": "5000",
  "retention.history.maxBytes": "100000000",
  "retention.history.maxDays": "7",
  "retention.sidecars.maxHours": "72",
  "webSearch.endpoints.*": '"https://search.example/"',
  "box.defaultImage": '"debian-12"',
  "git.baseUrl": '"https://git.example/builds/"',
  "git.sha256": '"9f86d081..."',
  "mcpServers.*": '{ "command": "mcp-server-memory" }',
  "skills.paths": '["team-skills"]',
  store: '"postgres://localhost/haft"',
  toolset: '"locked"',
}

function exampleOf(key: string, type: Setting["type"]): string {
  const text = written[key] ?? derived(type)
  return text === undefined ? "" : code(text)
}

function derived(type: Setting["type"]): string | undefined {
  if (type.kind === "choice") return `"${type.choices[0]}"`
  return type.kind === "switch" ? "true" : undefined
}
