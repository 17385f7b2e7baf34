import { type ClipboardRoute, decodeText, notText } from "./route.js"

/** The clipboard of Windows, by its PowerShell. */
export function powershellRoute(powershell: string): ClipboardRoute {
  const script = (text: string) => ({
    file: powershell,
    args: ["-NoProfile", "-NonInteractive", "-STA", "-EncodedCommand", Buffer.from(text, "utf16le").toString("base64")],
  })
  return {
    async read(run) {
      const end = await run(script(readScript))
      if (end?.exitCode === notTextCode) {
        const kinds = end.stdout.toString("utf8").trim()
        throw notText(kinds.split(/\s*\n\s*/))
      }
      return end?.exitCode === 0 ? decodeText(end.stdout) : undefined
    },
    async write(text, run) {
      const end = await run({ ...script(writeScript), input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  }
}

const notTextCode = 3

const readScript = `
$ErrorActionPreference = "Stop"
Add-Type -AssemblyName System.Windows.Forms
$utf8 = New-Object System.Text.UTF8Encoding $false
function Send($text) { $bytes = $utf8.GetBytes($text); $out = [Console]::OpenStandardOutput(); $out.Write($bytes, 0, $bytes.Length); $out.Flush() }
if ([System.Windows.Forms.Clipboard]::ContainsText()) { Send ([System.Windows.Forms.Clipboard]::GetText()); exit 0 }
$data = [System.Windows.Forms.Clipboard]::GetDataObject()
$formats = if ($data -eq $null) { @() } else { $data.GetFormats() }
if ($formats.Count -gt 0) { Send ($formats -join "\`n"); exit ${notTextCode} }
exit 0
`

const writeScript = `
$ErrorActionPreference = "Stop"
Add-Type -AssemblyName System.Windows.Forms
$memory = New-Object System.IO.MemoryStream
[Console]::OpenStandardInput().CopyTo($memory)
$text = (New-Object System.Text.UTF8Encoding $false).GetString($memory.ToArray())
if ($text -eq "") { [System.Windows.Forms.Clipboard]::Clear() } else { [System.Windows.Forms.Clipboard]::SetText($text) }
exit 0
`
