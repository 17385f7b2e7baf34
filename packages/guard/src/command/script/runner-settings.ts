import { joinPath } from "../../path.js"
import type { Peek } from "./with-includes.js"

/**
 * The lines of configuration files that choose which shell or which program runs the scripts of a package. Only these lines:
 * such files hold tokens as well. Undefined where one of the files cannot be read.
 */
export function runnerSettings(folders: readonly string[], peek: Peek): readonly string[] | undefined {
  const lines: string[] = []
  for (const folder of folders) {
    for (const { name, choosing } of files) {
      const text = peek(joinPath(folder, name))
      if (text === null) return undefined
      for (const line of text?.match(choosing) ?? []) lines.push(`${name}: ${line.trim()}`)
    }
  }
  return lines
}

/** Every line that mentions such a setting, or that may spell one with escapes: quotes, brackets and blanks are read in many ways. */
function mentioning(names: string): RegExp {
  return new RegExp(`^.*(?:${names.replaceAll(" ", "|")}|\\\\[ux]).*$`, "gm")
}

const files: readonly { readonly name: string; readonly choosing: RegExp }[] = [
  {
    name: ".npmrc",
    choosing: mentioning(
      String.raw`script-shell shell-emulator node-options ignore-scripts enable-pre-post-scripts (?<![\w-])(?:workspaces?|prefix)(?![\w-]) userconfig globalconfig`,
    ),
  },
  { name: ".yarnrc", choosing: mentioning("yarn-path script-shell") },
  { name: ".yarnrc.yml", choosing: mentioning("yarnPath plugins path enableScripts") },
  { name: "pnpm-workspace.yaml", choosing: mentioning("scriptShell shellEmulator nodeOptions enablePrePostScripts") },
  { name: "bunfig.toml", choosing: mentioning("shell bun preload") },
]
