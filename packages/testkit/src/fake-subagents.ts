import { type Subagents, ToolError } from "@haft/contract"

const names = ["explore", "general"]

/** Agents that answer with their name and their prompt. */
export const fakeSubagents: Subagents = {
  list: async () => names.map((name) => ({ name, description: `Answers as ${name}`, source: "bundled" })),
  async run({ agent, prompt, background }) {
    const session = agent.startsWith("ses_") ? agent : `ses_${agent}`
    if (!names.includes(session.slice(4)))
      throw new ToolError("not_found", `Cannot start "${agent}": there is no such agent`)
    const end = { output: `${agent}: ${prompt}`, reason: "done" } as const
    return { sessionId: session, missingTools: [], ...(!background && { end }) }
  },
}
