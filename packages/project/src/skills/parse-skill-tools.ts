import type { SkillBackend, SkillTool } from "@haft/contract"
import { isRecord } from "./is-record.js"
import type { SkillPlace } from "./skill-place.js"

// More than a skill needs, few enough to be shown to the person who grants them.
const maxTools = 50

/** The tools of a front matter that can be used; what is wrong with the others is said. */
export async function parseSkillTools(
  value: unknown,
  place: SkillPlace,
  say: (words: string) => void,
): Promise<readonly SkillTool[]> {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    say("tools must be a list")
    return []
  }
  if (value.length > maxTools) say(`there are ${value.length} tools; only the first ${maxTools} are taken`)
  const tools: SkillTool[] = []
  for (const [index, item] of value.slice(0, maxTools).entries()) {
    try {
      const tool = await parseTool(item, place)
      if (tools.some(({ name }) => name === tool.name)) throw new Problem(`the name "${tool.name}" is already taken`)
      tools.push(tool)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      say(`in tool ${index + 1}: ${error.message}`)
    }
  }
  return tools
}

/** What is wrong with one tool; said, and the tool is left out. */
class Problem extends Error {}

type Fields = Readonly<Record<string, unknown>>

async function parseTool(item: unknown, place: SkillPlace): Promise<SkillTool> {
  if (!isRecord(item)) throw new Problem("it must have name, description and backend")
  const name = requiredText(item, "name")
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw new Problem(`the name ${JSON.stringify(name)} must be letters, digits, "_" and "-"`)
  }
  const { parameters = {}, backend } = item
  if (!isRecord(parameters) || (parameters.type ?? "object") !== "object") {
    throw new Problem(`parameters of "${name}" must be a JSON Schema of type object`)
  }
  if (!isRecord(backend)) throw new Problem(`"${name}" needs a backend with a type`)
  const parse = backends[String(backend.type) as SkillBackend["type"]]
  if (!parse) throw new Problem(`the backend of "${name}" must be of type ${Object.keys(backends).join(", ")}`)
  const description = requiredText(item, "description").replace(/\s+/g, " ").trim()
  return { name, description, parameters, backend: await parse(backend, place, name) }
}

type ParseBackend = (backend: Fields, place: SkillPlace, name: string) => SkillBackend | Promise<SkillBackend>

const backends: Readonly<Record<SkillBackend["type"], ParseBackend>> = Object.assign(Object.create(null), {
  builtin: (backend: Fields, _place: SkillPlace, name: string) => ({
    type: "builtin",
    tool: optionalText(backend, "tool") ?? name,
  }),
  script: parseScript,
  binary: parseBinary,
  http: parseHttp,
})

async function parseScript(backend: Fields, place: SkillPlace): Promise<SkillBackend> {
  const path = optionalText(backend, "path")
  const inline = optionalText(backend, "script")
  if ((path === undefined) === (inline === undefined)) throw new Problem("a script needs either script or path")
  return {
    type: "script",
    interpreter: requiredText(backend, "interpreter"),
    interpreterArguments: texts(backend, "interpreter_args"),
    script: inline ?? (await place.readFile(path!).catch((error: Error) => fail(error.message))),
  }
}

function parseBinary(backend: Fields, place: SkillPlace): SkillBackend {
  const path = optionalText(backend, "path")
  const url = optionalText(backend, "url")
  const sha256 = optionalText(backend, "sha256")
  if ((path === undefined) === (url === undefined)) throw new Problem("a binary needs either path or url")
  if (url !== undefined && !/^[0-9a-f]{64}$/i.test(sha256 ?? "")) {
    throw new Problem("a binary by url needs its sha256: 64 hexadecimal digits")
  }
  const template = backend.args_template
  return {
    type: "binary",
    ...(path === undefined ? {} : { path: place.resolve(path) }),
    ...(url === undefined ? {} : { url, sha256: sha256!.toLowerCase() }),
    argumentsTemplate: typeof template === "string" ? splitWords(template) : texts(backend, "args_template"),
  }
}

function parseHttp(backend: Fields): SkillBackend {
  const url = requiredText(backend, "url")
  const { headers = {}, timeout_ms: timeoutMs = 30_000 } = backend
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(url)?.[1]
  if (authority === undefined) throw new Problem("the url must begin with http:// or https:// and a host")
  // A value in the host would choose where secrets of the skill go.
  if (/[$@{}\s]/.test(authority)) throw new Problem("the host of the url must be fixed, without a user name")
  if (!URL.canParse(url.replace(/\$\{[^}]*\}/g, "x"))) throw new Problem("the url is not valid")
  if (!isRecord(headers) || Object.values(headers).some((value) => typeof value !== "string")) {
    throw new Problem("headers must be texts by name")
  }
  if (Object.values(headers).some((value) => (value as string).includes("${"))) {
    throw new Problem("headers must be fixed: templates may fill path, query and body only")
  }
  if (!Number.isInteger(timeoutMs) || (timeoutMs as number) < 1 || (timeoutMs as number) > 120_000) {
    throw new Problem("timeout_ms must be 1 to 120000")
  }
  const method = (optionalText(backend, "method") ?? "GET").toUpperCase()
  if (!/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method))
    throw new Problem(`the method "${method}" is unknown`)
  const bodyTemplate = optionalText(backend, "body_template")
  return {
    type: "http",
    url,
    method,
    headers: headers as Record<string, string>,
    ...(bodyTemplate === undefined ? {} : { bodyTemplate }),
    timeoutMs: timeoutMs as number,
  }
}

/** Words as a shell would split them: quotes hold them together, nothing else means anything. */
function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
}

function requiredText(fields: Fields, key: string): string {
  return optionalText(fields, key) ?? fail(`"${key}" is missing`)
}

function optionalText(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  if (value === undefined || value === null) return undefined
  return typeof value === "string" && value.trim() !== "" ? value : fail(`"${key}" must be a text`)
}

function texts(fields: Fields, key: string): readonly string[] {
  const value = fields[key] ?? []
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value
    : fail(`"${key}" must be texts`)
}

function fail(words: string): never {
  throw new Problem(words)
}
