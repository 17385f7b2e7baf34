import type { Skills } from "@haft/contract"
import { type SessionPrompt, sessionPrompt } from "@haft/project"
import { promptOfSets } from "@haft/tools"
import type { SessionSetting } from "./open-session.js"

/** Instructions first, then skills, then the paragraphs of the toolsets. */
export async function promptOf(
  { options, places, roots, directory }: SessionSetting,
  skills: Skills,
): Promise<SessionPrompt> {
  const { userHome, configHome } = places
  const { text, warnings } = await sessionPrompt({ roots, directory, userHome, configHome }, skills)
  const paragraphs = promptOfSets(options.toolset ?? "locked,code", { windows: process.platform === "win32" })
  return { text: [text, paragraphs].filter((part) => part !== "").join("\n\n"), warnings }
}
