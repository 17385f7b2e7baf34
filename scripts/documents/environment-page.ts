import type { Command } from "../../packages/haft/src/command/command.js"
import type { Option } from "../../packages/haft/src/command/option.js"
import { code, generatedNote, page, table } from "./markdown.js"

/** What the page is made from: the command line as it is, and what each host offers by itself. */
export interface EnvironmentFacts {
  readonly commands: readonly Command[]
  readonly options: Readonly<Record<string, Option>>
  /** The toolsets of an agent, and of a client of MCP. */
  readonly agentTools: string
  readonly clientTools: string
  /** The answers that a client of MCP can give. */
  readonly clientAnswers: readonly string[]
}

/** A host: where people or programs meet the tools. */
interface Host {
  readonly title: string
  /** The commands that start it; none for the library. */
  readonly commands: readonly string[]
  readonly tools: (facts: EnvironmentFacts) => string
  readonly asks: string
  readonly answers: (facts: EnvironmentFacts) => string
  readonly alone: string
  readonly refuses: string
}

const everyAnswer = "once, session, project, accept edits, reject with a reason, edited arguments"
const agentTools = ({ agentTools: sets }: EnvironmentFacts) => `${code(sets)}, or \`toolset\` of the configuration`

const hosts: readonly Host[] = [
  {
    title: "Command line",
    commands: ["call", "run", "chat"],
    tools: (facts) => `\`call\`: every tool; \`run\`, \`chat\`: ${agentTools(facts)}`,
    asks: "the person at the terminal; never what comes through a pipe",
    answers: () => everyAnswer,
    alone: "without a terminal, or with `--headless`: an ask is a deny, with the flag that would allow it",
    refuses: "a wide folder as a root that nobody named; a configuration that cannot be read",
  },
  {
    title: "Library",
    commands: [],
    tools: ({ agentTools: sets }) => `${code(sets)}, or \`toolset\` of \`createHaft\`; \`tools\` adds your own`,
    asks: "the object `person` of `createHaft`, or of one call",
    answers: () => `${everyAnswer}, as far as the request offers them`,
    alone: "without `person`: an ask is a deny, with the rule that would allow it",
    refuses: "options that it does not know; a tool with an id that is taken",
  },
  {
    title: "Server",
    commands: ["serve"],
    tools: agentTools,
    asks: "everybody who has the page open with the token; the first answer counts",
    answers: () => `${everyAnswer}, as far as the request offers them`,
    alone: "with `--headless`: an ask is a deny",
    refuses:
      "a request without the token, of a foreign Host or Origin; a session outside the roots, with more rules or a higher mode",
  },
  {
    title: "MCP",
    commands: ["mcp"],
    tools: ({ clientTools }) => code(clientTools),
    asks: "the person at the client, by elicitation",
    answers: ({ clientAnswers }) => clientAnswers.join(", "),
    alone:
      "a client without elicitation, or `--headless`: a denial for the model, and the rule for the person in a block of its own",
    refuses:
      "over HTTP a request without the token, of a foreign Host or Origin; a tool that is not listed; frames over 16 MB",
  },
  {
    title: "ACP",
    commands: ["acp"],
    tools: agentTools,
    asks: "the person in the editor, by its permission requests",
    answers: () =>
      "once, session, project, accept edits, reject once or for the session, edited arguments where the editor has forms",
    alone:
      "a request that the editor cancels is a reject and ends the turn; a question that it cannot show is an error for the model",
    refuses:
      "a wide folder, or one outside `--root`; a mode that the configuration forbids; MCP servers of the editor that you do not trust; frames over 32 MB",
  },
]

/** The page of what each host offers, asks and refuses. */
export function environmentPage(facts: EnvironmentFacts): string {
  return page(
    generatedNote,
    "# Environments",
    "The same tools, rules and journal behind every host. What differs is which tools are offered by default, who is asked, and what a host itself refuses.",
    table(
      ["host", "start", "tools by default", "who is asked", "answers"],
      hosts.map((host) => [host.title, startOf(host), host.tools(facts), host.asks, host.answers(facts)]),
    ),
    "## When nobody can be asked, and what is refused",
    "A rule that denies beats every answer, no matter who gives it. Nothing times out into an answer.",
    table(
      ["host", "nobody can be asked", "refused by the host itself"],
      hosts.map((host) => [host.title, host.alone, host.refuses]),
    ),
    "## Flags",
    "The options of each command besides those that every command takes. `--yes` answers for the one call that a person typed, and exists nowhere else.",
    flagTable(facts),
  )
}

function startOf({ commands }: Host): string {
  return commands.length === 0 ? "`createHaft`" : commands.map((name) => code(`haft ${name}`)).join(", ")
}

function flagTable({ commands, options }: EnvironmentFacts): string {
  const shown = hosts.flatMap((host) => host.commands).map((name) => commandNamed(commands, name))
  const names = Object.keys(options).filter((option) => shown.some((command) => command.options?.includes(option)))
  return table(
    ["option", ...shown.map(({ name }) => name)],
    names.map((option) => [
      code(`--${option}`),
      ...shown.map((command) => (command.options?.includes(option) ? "yes" : "")),
    ]),
  )
}

/** A host whose command is gone stops the page. */
function commandNamed(commands: readonly Command[], name: string): Command {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  throw new Error(`Cannot write the page of environments: there is no command "${name}"`)
}
