import { shimFunctions, shimSupport, supportOf } from "./shim-functions.js"

/**
 * Functions that let the commonest Unix spellings run in PowerShell on Windows. Only those that the command mentions
 * are taken along, because a command line there is short.
 */
export function powershellShim(command: string): readonly string[] {
  const wanted = Object.keys(shimFunctions).filter((name) => mentions(command, name))
  const needed = [...new Set(wanted.flatMap((name) => [...(supportOf[name] ?? []), name]))]
  const aliases = wanted.filter((name) => builtinAliases.includes(name))
  return [
    // An alias would be found before the function.
    ...aliases.map((name) => `Remove-Item -Path Alias:${name} -Force -ErrorAction SilentlyContinue`),
    ...needed.map(definitionOf),
  ]
}

/** The real program is better than a stand-in where it is installed, for instance with Git. */
function definitionOf(name: string): string {
  const definition = shimFunctions[name] ?? shimSupport[name]!
  if (!standIns.includes(name)) return definition
  return `if (-not (Get-Command -Name ${name} -CommandType Application -ErrorAction SilentlyContinue)) {\n${definition}\n}`
}

/** Whether the name stands as a word of its own; `curl.exe` and `Test-Path` are other programs. */
function mentions(command: string, name: string): boolean {
  return new RegExp(`(?<![\\w.-])${name}(?![\\w.-])`, "i").test(command)
}

// Windows PowerShell gives these names to a cmdlet of its own.
const builtinAliases = ["curl", "wget"]
const standIns = ["which", "head", "test", "grep", "printf"]
