import type { Commands } from "@haft/contract"

/** The newest PowerShell of this machine, or undefined. */
export async function findPowershell(commands: Commands): Promise<string | undefined> {
  return (await commands.find("pwsh")) ?? commands.find("powershell")
}
