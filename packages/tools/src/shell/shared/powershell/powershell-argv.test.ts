import { spawnSync } from "node:child_process"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { powershellArgv, powershellScript, powershellShim, utf16Base64 } from "./powershell-argv.js"
import { shimFunctions } from "./shim-functions.js"

const windows = "C:\\Program Files\\PowerShell\\7\\pwsh.exe"
const linux = "/usr/bin/pwsh"

const scriptOf = (argv: readonly string[]) => Buffer.from(argv.at(-1)!, "base64").toString("utf16le")

test("the command line has no profile, no questions and the encoded script last", () => {
  const argv = powershellArgv(windows, "Get-Date")
  expect(argv.slice(0, -1)).toEqual([
    windows,
    ...["-NoLogo", "-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand"],
  ])
  expect(argv.at(-1)).toMatch(/^[A-Za-z0-9+/]+=*$/)
})

test("the script around a command is this one", () => {
  expect(powershellScript("Get-Date", { withShim: false })).toBe(
    [
      "$ProgressPreference = 'SilentlyContinue'",
      "try { [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false } catch { }",
      "$OutputEncoding = New-Object System.Text.UTF8Encoding $false",
      "if ($PSStyle) { $PSStyle.OutputRendering = 'PlainText' }",
      "$global:LASTEXITCODE = 0",
      ". ([ScriptBlock]::Create('Get-Date",
      "",
      "$global:HaftSucceeded = $?'))",
      "if ($global:LASTEXITCODE) { exit $global:LASTEXITCODE }",
      "if (-not $global:HaftSucceeded) { exit 1 }",
      "exit 0",
    ].join("\n"),
  )
})

test("any text is encoded without loss", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 9_000 }), (text) => {
      expect(Buffer.from(utf16Base64(text), "base64").toString("utf16le")).toBe(text)
    }),
    { numRuns: 30 },
  )
})

/** The text of a single-quoted string as PowerShell's tokenizer reads it, and what is left behind it. */
function readQuoted(script: string): { readonly text: string; readonly rest: string } {
  const isQuote = (character: string | undefined) =>
    character !== undefined && "'\u2018\u2019\u201a\u201b".includes(character)
  let text = ""
  let index = 1
  for (; index < script.length; index += 1) {
    if (isQuote(script[index])) {
      if (!isQuote(script[index + 1])) break
      index += 1
    }
    text += script[index]
  }
  return { text, rest: script.slice(index + 1) }
}

test("no command can end its quotes: PowerShell reads back exactly the text that was judged", () => {
  const hostile = fc.array(
    fc.constantFrom("'", "\u2018", "\u2019", "\u201a", "\u201b", "'@", "))", ";", "\n", "`", "a"),
  )
  fc.assert(
    fc.property(
      hostile.map((parts) => parts.join("")),
      (command) => {
        const script = powershellScript(command, { withShim: false })
        const { text, rest } = readQuoted(script.slice(script.indexOf("Create(") + "Create(".length))
        expect(text).toBe(`${command}\n\n$global:HaftSucceeded = $?`)
        expect(rest.startsWith("))\n")).toBe(true)
      },
    ),
  )
})

describe("the shim", () => {
  test.each([
    ["curl -d '{}' http://x", ["HaftWords", "curl"]],
    ["wget http://x", ["HaftWords", "wget"]],
    ["GET http://127.0.0.1:18790/health", ["HaftWords", "HaftRequest", "GET"]],
    ["Get-Content a.txt | head -5", ["head"]],
    ["which node", ["which"]],
    ["if (grep -q x a.txt) { printf 'y' }", ["grep", "printf"]],
    ["OPTIONS http://x; DELETE http://x", ["HaftWords", "HaftRequest", "DELETE", "OPTIONS"]],
    ["curl.exe http://x; Test-Path a; $head; Invoke-WebRequest x", ["head"]],
    ["Get-Date", []],
  ])("%j takes along what it mentions", (command, names) => {
    const defined = powershellShim(command).flatMap((line) => /^\s*function (\w+)/m.exec(line)?.[1] ?? [])
    expect(defined).toEqual(names)
  })

  test("it covers the promised names", () => {
    expect(Object.keys(shimFunctions)).toEqual(
      "curl wget GET POST PUT PATCH DELETE OPTIONS which head test grep printf".split(" "),
    )
  })

  test("the aliases of Windows PowerShell give way, and installed programs are preferred to stand-ins", () => {
    expect(powershellShim("curl x")[0]).toBe("Remove-Item -Path Alias:curl -Force -ErrorAction SilentlyContinue")
    expect(powershellShim("grep x")[0]).toMatch(/^if \(-not \(Get-Command -Name grep -CommandType Application /)
  })

  test("it is left out where the system has these programs itself", () => {
    expect(scriptOf(powershellArgv(windows, "head -3 a"))).toContain("function head")
    expect(scriptOf(powershellArgv(linux, "head -3 a"))).not.toContain("function head")
  })

  test("its brackets and quotes are balanced", () => {
    for (const source of powershellShim(Object.keys(shimFunctions).join(" "))) {
      const bare = source.replace(/'[^']*'/g, "''")
      for (const [open, close] of ["{}", "()", "[]"]) {
        expect(bare.split(open!).length, source).toBe(bare.split(close!).length)
      }
    }
  })
})

test("a command that Windows would not take for its length is refused with the way around", () => {
  expect(() => powershellArgv(windows, "x".repeat(20_000))).toThrow(expect.objectContaining({ code: "too_large" }))
  expect(powershellArgv(linux, "x".repeat(20_000))).toHaveLength(8)
})

const hasPowershell = spawnSync("pwsh", ["-Version"]).status === 0

describe.skipIf(!hasPowershell)("where pwsh is installed (skipped: it is not on this machine)", () => {
  const run = (command: string) => {
    const [, ...args] = powershellArgv(linux, command)
    const { status, stdout, stderr } = spawnSync("pwsh", args, { encoding: "utf8" })
    return { status, stdout, stderr }
  }

  test("output, text beyond ASCII and exit codes come through", () => {
    expect(run("Write-Output 'é 漢 ’'")).toEqual({ status: 0, stdout: "é 漢 ’\n", stderr: "" })
    expect(run("sh -c 'exit 7'").status).toBe(7)
    expect(run("exit 3").status).toBe(3)
    expect(run("Get-Item /nowhere").status).toBe(1)
    expect(run("this is } no code").status).toBe(1)
    expect(run("Write-Output 1 # end").status).toBe(0)
  })
})
