import type { SkillEntry, SkillTool } from "@haft/contract"
import { type FrontMatter, readFrontMatter, type SkillProblem } from "./front-matter.js"
import { parseSkillTools } from "./parse-skill-tools.js"
import type { SkillPlace } from "./skill-place.js"

/** A SKILL.md as far as it is understood. */
export interface ParsedSkill {
  /** Absent when a problem is fatal. */
  readonly entry: Omit<SkillEntry, "source" | "path" | "tools"> | undefined
  readonly tools: readonly SkillTool[]
  /** True for a skill that only people choose. */
  readonly hidden: boolean
  readonly body: string
  readonly problems: readonly SkillProblem[]
}

/** Reads a SKILL.md. What is merely unusual is taken, and said; only a skill that cannot be listed is refused. */
export async function parseSkill(text: string, place: SkillPlace): Promise<ParsedSkill> {
  const front = await readFrontMatter(text)
  const problems: SkillProblem[] = [...front.problems]
  const say = (key: string, words: string, fatal = false) => {
    problems.push({ line: front.lineOf(key), text: words, fatal })
  }
  if (problems.length > 0) return { entry: undefined, tools: [], hidden: false, body: front.body, problems }
  const name = nameOf(front, place, say)
  const description = descriptionOf(front, say)
  const kind = choiceOf(front, "kind", kinds, say)
  const version = textOf(front.values.version)
  const tools = await parseSkillTools(front.values.tools, place, (words) => say("tools", words))
  const entry = {
    name,
    description,
    kind,
    tags: listOf(front, "tags", say),
    ...(version === undefined ? {} : { version }),
    allowedTools: listOf(front, "allowed-tools", say),
  }
  const usable = !problems.some(({ fatal }) => fatal)
  const hidden = front.values["disable-model-invocation"] === true
  return { entry: usable ? entry : undefined, tools, hidden, body: front.body, problems }
}

type Say = (key: string, words: string, fatal?: boolean) => void

const kinds = ["instruction", "persona", "tool"] as const
// What the name of a skill should be, and what is still taken: it is in prompts and in marks.
const goodName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const takenName = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u
const maxName = 64
const maxDescription = 1024

function nameOf({ values }: FrontMatter, { folderName }: SkillPlace, say: Say): string {
  const name = textOf(values.name)?.trim() ?? folderName
  if (values.name !== undefined && values.name !== null && textOf(values.name) === undefined) {
    say("name", "the name must be a text", true)
  } else if (name.length > maxName || !takenName.test(name)) {
    say(
      "name",
      `the name ${JSON.stringify(name)} must be 1 to ${maxName} small letters, digits and single hyphens`,
      true,
    )
  } else if (!goodName.test(name)) {
    say("name", `the name "${name}" should be small letters, digits and single hyphens`)
  } else if (name !== folderName) say("name", `the name "${name}" should be that of the folder, "${folderName}"`)
  return name
}

function descriptionOf({ values }: FrontMatter, say: Say): string {
  const given = values.description
  if (typeof given !== "string" || given.trim() === "") {
    say("description", "a description is missing: one line that says when to use the skill", true)
    return ""
  }
  const trimmed = given.trim()
  if (/[\r\n]/.test(trimmed)) say("description", "the description must be one line")
  const line = trimmed.replace(/\s+/g, " ")
  if (line.length <= maxDescription) return line
  say("description", `the description is longer than ${maxDescription} characters and is cut`)
  return line.slice(0, maxDescription)
}

function choiceOf<Choice extends string>(
  { values }: FrontMatter,
  key: string,
  choices: readonly Choice[],
  say: Say,
): Choice {
  const value = values[key]
  if (value === undefined || value === null) return choices[0]!
  const found = choices.find((choice) => choice === value)
  if (found === undefined) say(key, `${key} must be one of ${choices.join(", ")}`)
  return found ?? choices[0]!
}

/** A list as YAML, with commas, or with spaces; a pattern in parentheses stays whole. */
function listOf({ values }: FrontMatter, key: string, say: Say): readonly string[] {
  const value = values[key]
  if (value === undefined || value === null) return []
  if (typeof value === "string") return splitList(value)
  const items = Array.isArray(value) ? value.map(textOf) : [undefined]
  if (items.some((item) => item === undefined)) say(key, `${key} must be a list of words`)
  return items.filter((item) => item !== undefined && item !== "") as string[]
}

function splitList(text: string): readonly string[] {
  return (text.match(/(?:\([^()]*\)|[^\s,()])+/g) ?? []).filter((item) => item !== "")
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}
