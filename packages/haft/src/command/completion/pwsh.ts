import { type CompletionTable, living } from "./completion-table.js"

/** Completion for PowerShell. */
export function pwsh({ after, values }: CompletionTable): string {
  const table = after.map(({ path, words }) => `    '${path}' = @(${words.map((word) => `'${word}'`).join(", ")})`)
  const known = values.map(
    ({ option, choices }) =>
      `    '${option}' = @(${Array.isArray(choices) ? choices.map((word) => `'${word}'`).join(", ") : ""})`,
  )
  const asked = [
    ...after.flatMap(({ path, asks }) => (asks ? [`    '${path}' = '${asks}'`] : [])),
    ...values.flatMap(({ option, choices }) =>
      living.some((kind) => kind === choices) ? [`    '${option}' = '${choices}'`] : [],
    ),
  ]
  return `# haft completion for PowerShell: haft completion pwsh | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName haft -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $after = @{
${table.join("\n")}
  }
  $values = @{
${known.join("\n")}
  }
  $asks = @{
${asked.join("\n")}
  }
  $path = @(); $previous = ''; $skip = $false
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $word = $element.ToString(); $previous = $word
    if ($skip) { $skip = $false; continue }
    if ($values.ContainsKey($word)) { $skip = $true } elseif ($word -notlike '-*' -and $word -notlike '*=*') { $path += $word }
  }
  if ($values.ContainsKey($previous)) { $words = $values[$previous]; $ask = $asks[$previous] }
  else {
    $ask = $asks[($path -join ' ')]
    $words = $null
    while ($null -eq $words) {
      $words = $after[($path -join ' ')]
      if ($path.Count -le 1) { break }
      $path = $path[0..($path.Count - 2)]
    }
  }
  if ($ask) { $words = @($words) + @(haft completion $ask 2>$null) }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
