import type { Dialect, Skills } from "@haft/contract"
import { type SessionPrompt, sessionPrompt } from "@haft/project"
import { promptOfSets } from "@haft/tools"
import type { SessionSetting } from "./open-session.js"

/** Instructions, the paragraphs of the toolsets or of the dialect, skills. */
export async function promptOf(
  { options, places, roots, directory }: SessionSetting,
  skills: Skills,
  dialect?: Dialect | string,
): Promise<SessionPrompt> {
  const spoken = typeof dialect === "string" ? await (await import("@haft/dialects")).dialectNamed(dialect) : dialect
  const { userHome, configHome } = places
  const request = { roots, directory, userHome, configHome }
  const paragraphs = spoken
    ? Object.values(spoken.prompts ?? {}).join("\n\n")
    : promptOfSets(options.toolset ?? "locked,code", { windows: process.platform === "win32" })
  return sessionPrompt(request, skills, { paragraphs, ...(spoken && { skillTool: skillToolOf(spoken) }) })
}

/** The name under which a model of that system loads skills; null where it cannot. */
function skillToolOf({ tools, wireName }: Dialect): string | null {
  const row = tools.find(({ tool }) => tool === "skill")
  return row === undefined ? null : (wireName?.(row.name) ?? row.name)
}
