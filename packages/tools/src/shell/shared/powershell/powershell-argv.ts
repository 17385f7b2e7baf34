import { isWindowsPath } from "@haft/contract"
import { tooLong } from "../check-argument.js"
import { powershellScript } from "./powershell-script.js"
import { utf16Base64 } from "./utf16-base64.js"

// The longest command line of Windows, with room for what is wrapped around it.
const maxWindowsLine = 32_000

/**
 * How PowerShell runs a command: without profile and questions, and encoded, so that no layer of quoting touches it.
 * The shim stands in for Unix programs that Windows lacks, and is left out elsewhere.
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
