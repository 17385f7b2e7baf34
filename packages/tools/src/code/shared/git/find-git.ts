import { type Commands, ToolError } from "@haft/contract"

/** The absolute path of git, installed now where the user allows that; else `not_configured` with the way to get it. */
export async function findGit(commands: Pick<Commands, "find" | "obtain">): Promise<string> {
  const found = (await commands.find("git")) ?? (await commands.obtain?.("git"))
  if (found !== undefined) return found
  throw new ToolError("not_configured", 'Cannot run "git": it is not installed; install it and repeat the call', {
    hint: `${await installWords(commands)}, or with a configured build: haft doctor --install git`,
  })
}

/** The package managers of the platforms, in the order in which they are looked for. */
const installers: readonly (readonly [program: string, command: string])[] = [
  ["apt-get", "sudo apt-get install git"],
  ["dnf", "sudo dnf install git"],
  ["apk", "sudo apk add git"],
  ["pacman", "sudo pacman -S git"],
  ["zypper", "sudo zypper install git"],
  ["brew", "brew install git"],
  ["xcode-select", "xcode-select --install"],
  ["winget", "winget install --id Git.Git -e"],
]

async function installWords(commands: Pick<Commands, "find">): Promise<string> {
  for (const [program, command] of installers) {
    if ((await commands.find(program)) !== undefined) return `Install it with: ${command}`
  }
  return "Install it with the package manager of this system"
}
