import { join } from "node:path"

/** Where a git that Haft installed lives; its programs are in `bin`. */
export function installedGitFolder(home: string): string {
  return join(home, ".local", "git")
}
