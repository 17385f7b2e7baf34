import { findProgram } from "../commands/find-program.js"

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

/** The command that installs git with the package manager of this machine; undefined where none is known. */
export async function gitInstallCommand(place: {
  readonly path: string
  readonly roots: readonly string[]
}): Promise<string | undefined> {
  for (const [program, command] of installers) {
    if ((await findProgram(program, place)) !== undefined) return command
  }
  return undefined
}
