// The package managers of the platforms, in the order in which they are looked for.
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

/** The command that installs git with the first package manager that `find` finds; undefined where it finds none. */
export async function gitInstallCommand(
  find: (program: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const [program, command] of installers) {
    if ((await find(program)) !== undefined) return command
  }
  return undefined
}
