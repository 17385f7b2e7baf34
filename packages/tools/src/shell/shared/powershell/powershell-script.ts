import { powershellShim } from "./powershell-shim.js"

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
