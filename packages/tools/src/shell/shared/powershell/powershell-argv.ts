import { isWindowsPath } from "@haft/contract"
import { tooLong } from "../limits.js"
import { shimFunctions, shimSupport, supportOf } from "./shim-functions.js"

// The longest command line of Windows, with room for what is wrapped around it.
const maxWindowsLine = 32_000

/**
 * How PowerShell runs a command: without profile and questions, and encoded, so that no layer of quoting touches it.
 * The shim replaces Unix programs that Windows lacks, and is left out elsewhere.
 */
export function powershellArgv(program: string, command: string): readonly string[] {
  const onWindows = isWindowsPath(program)
  const script = powershellScript(command, { withShim: onWindows })
  const argv = [program, ...options, utf16Base64(script)]
  const { length } = argv.join(" ")
  if (onWindows && length > maxWindowsLine) throw tooLong(length, maxWindowsLine)
  return argv
}

// Text on both streams: with an encoded command PowerShell may choose XML for errors.
const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand"]

// Small enough that a chunk's characters fit on the call stack, and a multiple of three so that chunks join without padding.
const chunkBytes = 24_576

/** The text as PowerShell takes encoded commands: UTF-16, little end first, in base64. */
export function utf16Base64(text: string): string {
  const bytes = new Uint8Array(text.length * 2)
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    bytes[2 * index] = unit & 0xff
    bytes[2 * index + 1] = unit >> 8
  }
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))))
  }
  return parts.join("")
}

/**
 * The script around a command. The command is one quoted text that PowerShell parses by itself, so it can neither end
 * the script nor be changed by it; a native program's exit code becomes the script's, a failed cmdlet gives 1.
 */
export function powershellScript(command: string, { withShim }: { readonly withShim: boolean }): string {
  return [
    ...preparation,
    ...(withShim ? powershellShim(command) : []),
    "$global:LASTEXITCODE = 0",
    // Two line breaks: the first ends a comment or is swallowed by a last backtick.
    `. ([ScriptBlock]::Create(${quoted(`${command}\n\n$global:HaftSucceeded = $?`)}))`,
    "if ($global:LASTEXITCODE) { exit $global:LASTEXITCODE }",
    "if (-not $global:HaftSucceeded) { exit 1 }",
    "exit 0",
  ].join("\n")
}

const preparation = [
  "$ProgressPreference = 'SilentlyContinue'",
  // Without a console there is no encoding to set.
  "try { [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false } catch { }",
  "$OutputEncoding = New-Object System.Text.UTF8Encoding $false",
  "if ($PSStyle) { $PSStyle.OutputRendering = 'PlainText' }",
]

/** PowerShell takes the typographic single quotes for single quotes too. */
function quoted(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`
}

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

/** Whether the name is a word of its own; `curl.exe` and `Test-Path` are other programs. */
function mentions(command: string, name: string): boolean {
  return new RegExp(`(?<![\\w.-])${name}(?![\\w.-])`, "i").test(command)
}

// Windows PowerShell gives these names to a cmdlet of its own.
const builtinAliases = ["curl", "wget"]
const standIns = ["which", "head", "test", "grep", "printf"]
