import { join } from "node:path"

/** The program in a build of git. MinGit, the build for Windows, has another layout. */
export function gitProgram(folder: string, isMinGit: boolean = process.platform === "win32"): string {
  return isMinGit ? join(folder, "cmd", "git.exe") : join(folder, "bin", "git")
}

/** Where a git that Haft installed lives. */
export function installedGitFolder(home: string): string {
  return join(home, ".local", "git")
}
