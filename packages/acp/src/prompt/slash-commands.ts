import { relative } from "node:path"
import type { AvailableCommand, ToolCallContent } from "@agentclientprotocol/sdk/unstable"
import { isInside, type TurnInput } from "@haft/contract"
import { formatRule, visible, visibleLine } from "@haft/guard"
import { type CallSession, explainCall } from "@haft/runtime"
import type { EditorSession } from "../editor-host.js"
import { changedFiles, type DiffSource } from "../tool/diff.js"

/** What a command did: words for the person, perhaps with diffs, or a message for the model. */
export type CommandEnd =
  | { readonly say: string; readonly diffs?: readonly ToolCallContent[] }
  | { readonly send: TurnInput }

interface SlashCommand extends AvailableCommand {
  run(words: string, session: EditorSession, diffs: DiffSource): Promise<CommandEnd>
}

const commands: readonly SlashCommand[] = [
  {
    name: "permissions",
    description: "Show the mode and the answers that were saved in this session",
    run: async (_words, { agent }) => ({ say: permissions(agent.session) }),
  },
  {
    name: "explain",
    description: "Why a call would be allowed, asked about or refused; nothing runs",
    input: { hint: 'TOOL JSON, for instance: write {"file_path": "a.ts", "content": ""}' },
    run: async (words, { agent }) => ({ say: await explained(words, agent.session) }),
  },
  {
    name: "undo",
    description: "Take back the file effects of the last call, or of that call",
    input: { hint: "[CALL]" },
    run: async (words, session) => ({ say: await session.undo(words === "" ? undefined : words) }),
  },
  {
    name: "diff",
    description: "Show what changed in files in this session",
    run: async (_words, session, diffs) => changes(session, diffs),
  },
  {
    name: "sandbox",
    description: "Show what confines commands; every way is tried out",
    run: async (_words, session) => ({ say: (await session.sandbox()).map((line) => `- ${visible(line)}`).join("\n") }),
  },
  {
    name: "skill",
    description: "Let the agent use a skill",
    input: { hint: "NAME [what for]" },
    run: async (words, { agent }) => useSkill(words, agent.session),
  },
]

/** The commands of a session: those of ours, and one for each skill whose name is free. */
export async function availableCommands(session: CallSession): Promise<AvailableCommand[]> {
  const own = commands.map(({ name, description, input }) => ({ name, description, ...(input && { input }) }))
  const skills = (await session.ports.skills.list()).filter(({ name }) => !commands.some((each) => each.name === name))
  return [
    ...own,
    ...skills.map(({ name, description }) => ({
      name,
      description: visibleLine(description, 300),
      input: { hint: "what for" },
    })),
  ]
}

/** Runs the command that a prompt begins with; undefined where it begins with none. */
export async function runCommand(
  { text, files }: TurnInput,
  session: EditorSession,
  diffs: DiffSource,
): Promise<CommandEnd | undefined> {
  const [, name, words = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (name === undefined || files !== undefined) return undefined
  const command = commands.find((each) => each.name === name)
  if (command) return command.run(words.trim(), session, diffs)
  const skills = await session.agent.session.ports.skills.list()
  return skills.some((skill) => skill.name === name) ? useSkill(`${name} ${words}`, session.agent.session) : undefined
}

async function useSkill(words: string, session: CallSession): Promise<CommandEnd> {
  const [name = "", ...task] = words.trim().split(/\s+/)
  const skill = (await session.ports.skills.list()).find((each) => each.name === name)
  if (skill) return { send: { text: `Use the skill ${skill.name}. ${task.join(" ")}`.trim() } }
  const names = (await session.ports.skills.list()).map((each) => each.name).join(", ")
  return { say: `There is no skill "${visibleLine(name)}". There are: ${names || "none"}` }
}

const maxListed = 100

/** What is different from before the session; what is no text or too large is only named. */
async function changes(session: EditorSession, source: DiffSource): Promise<CommandEnd> {
  const files = await changedFiles(await session.allCalls(), source)
  if (files.length === 0) return { say: "No file is different from before this session." }
  const lines = files.slice(0, maxListed).map(({ path, change, diff }) => {
    const place = isInside(path, source.directory) ? relative(source.directory, path) : path
    return `- ${change} ${visibleLine(place, 500)}${diff ? "" : " (its text cannot be shown)"}`
  })
  const more = files.length > maxListed ? [`- and ${files.length - maxListed} more`] : []
  return { say: [...lines, ...more].join("\n"), diffs: files.slice(0, maxListed).flatMap(({ diff }) => diff ?? []) }
}

function permissions(session: CallSession): string {
  const rules = session.savedRules.map((rule) => `- ${rule.action} ${visible(formatRule(rule))}`)
  return [`Mode: ${session.mode}`, rules.length === 0 ? "No answer was saved." : "Saved answers:", ...rules].join("\n")
}

async function explained(words: string, session: CallSession): Promise<string> {
  const [, name = "", json = ""] = /^(\S+)\s*([\s\S]*)$/.exec(words) ?? []
  if (name === "") return "Say which call: /explain TOOL JSON"
  let input: unknown
  try {
    input = JSON.parse(json || "{}")
  } catch (error) {
    return `The arguments are no JSON (${(error as Error).message}): /explain TOOL JSON`
  }
  const { ladder } = await explainCall({ name, arguments: input }, session)
  const rungs = ladder.rungs.map(
    ({ rung, verdict, reason, rule }) =>
      `- ${rung}: ${verdict}, ${visible(reason)}${rule ? ` (${visible(rule)})` : ""}`,
  )
  return [`${ladder.verdict}: ${visible(ladder.reason)}`, ...rungs].join("\n")
}
