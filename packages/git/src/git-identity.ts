import { execFile } from "node:child_process"
import { promisify } from "node:util"

/** What the sandbox's git takes over from the user's: who commits, and how a new branch is called. */
export interface GitIdentity {
  readonly lines: string
  /** The user signs commits; those made inside the sandbox are not signed. */
  readonly signs: boolean
}

/** Reads the user's own git settings, never those of a repository, and writes the few that are harmless. */
export async function gitIdentity(git: string | undefined, home: string): Promise<GitIdentity> {
  const settings = git === undefined ? new Map<string, string>() : await readSettings(git, home)
  const sections: string[] = []
  const value = (name: string) => settings.get(name)
  const user = [entry("name", value("user.name")), entry("email", value("user.email"))].join("")
  if (user) sections.push(`[user]\n${user}`)
  const branch = entry("defaultBranch", value("init.defaultbranch"))
  if (branch) sections.push(`[init]\n${branch}`)
  sections.push("[commit]\n\tgpgsign = false\n", "[tag]\n\tgpgsign = false\n")
  return { lines: sections.join(""), signs: value("commit.gpgsign") === "true" }
}

async function readSettings(git: string, home: string): Promise<ReadonlyMap<string, string>> {
  const names = "^(user\\.(name|email)|init\\.defaultbranch|commit\\.gpgsign)$"
  try {
    const { stdout } = await promisify(execFile)(git, ["config", "--global", "--null", "--get-regexp", names], {
      // Outside every repository, so that only files of the user are read.
      cwd: "/",
      env: { HOME: home, PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1" },
      timeout: 2000,
      windowsHide: true,
    })
    return new Map(
      stdout
        .split("\0")
        .filter(Boolean)
        .map((record) => {
          const end = record.indexOf("\n")
          return end < 0 ? [record, "true"] : [record.slice(0, end), record.slice(end + 1)]
        }),
    )
  } catch {
    return new Map()
  }
}

/** A value in quotes, so that nothing in a name can begin a section or a comment. */
function entry(name: string, value: string | undefined): string {
  if (value === undefined || /[\0\n\r]/.test(value)) return ""
  return `\t${name} = "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"\n`
}
