import { type Commands, gitInstallCommand, ToolError } from "@haft/contract"

/** The absolute path of git, installed now where the user allows that; else `not_configured` with the way to get it. */
export async function findGit(commands: Pick<Commands, "find" | "obtain">): Promise<string> {
  const found = (await commands.find("git")) ?? (await commands.obtain?.("git"))
  if (found !== undefined) return found
  const command = await gitInstallCommand((program) => commands.find(program))
  const words =
    command === undefined ? "Install it with the package manager of this system" : `Install it with: ${command}`
  throw new ToolError("not_configured", 'Cannot run "git": it is not installed', {
    fix: `${words}, or with a configured build: haft doctor --install git`,
  })
}
