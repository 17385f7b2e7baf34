const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** The functions by the name that a command calls them by. */
export const shimFunctions: Readonly<Record<string, string>> = {
  curl: `function curl {
  $words = @(HaftWords $args)
  if ($MyInvocation.ExpectingInput) { $input | & curl.exe @words } else { & curl.exe @words }
}`,
  wget: `function wget {
  $words = @(); $output = $null
  for ($i = 0; $i -lt $args.Count; $i++) {
    $word = "$($args[$i])"
    if ($word -cin '-q', '--quiet') { $words += '-s' }
    elseif ($word -ceq '-qO-') { $words += '-s'; $output = '-' }
    elseif ($word -cin '-O', '--output-document') { $i++; $output = "$($args[$i])" }
    elseif ($word -cmatch '^(?:-O|--output-document=)(.+)$') { $output = $Matches[1] }
    elseif ($word -cmatch '^--header=(.+)$') { $words += '-H', $Matches[1] }
    elseif ($word -cmatch '^--post-data=(.+)$') { $words += '-d', $Matches[1] }
    else { $words += $word }
  }
  if ($null -eq $output) { $words += '--remote-name-all' } elseif ($output -cne '-') { $words += '-o', $output }
  $words = @(HaftWords $words)
  & curl.exe -L -f @words
}`,
  ...Object.fromEntries(verbs.map((verb) => [verb, `function ${verb} { HaftRequest '${verb}' $args }`])),
  which: `function which {
  foreach ($name in $args) {
    $found = Get-Command -Name "$name" -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($found) { $found.Source } else { $global:LASTEXITCODE = 1 }
  }
}`,
  head: String.raw`function head {
  $count = 10; $files = @()
  for ($i = 0; $i -lt $args.Count; $i++) {
    $word = "$($args[$i])"
    if ($word -cmatch '^(?:-|-n|--lines=)(\d+)$') { $count = [int]$Matches[1] }
    elseif ($word -ceq '-n') { $i++; $count = [int]"$($args[$i])" }
    else { $files += $word }
  }
  if ($files.Count -gt 0) { Get-Content -LiteralPath $files -TotalCount $count } else { $input | Select-Object -First $count }
}`,
  test: `function test {
  $words = @($args | ForEach-Object { "$_" })
  $negated = $words.Count -gt 1 -and $words[0] -ceq '!'
  if ($negated) { $words = @($words | Select-Object -Skip 1) }
  $holds = if ($words.Count -eq 2) {
    switch -CaseSensitive ($words[0]) {
      '-e' { Test-Path -LiteralPath $words[1] }
      '-f' { Test-Path -LiteralPath $words[1] -PathType Leaf }
      '-d' { Test-Path -LiteralPath $words[1] -PathType Container }
      '-n' { $words[1] -ne '' }
      '-z' { $words[1] -eq '' }
      default { $false }
    }
  } elseif ($words.Count -eq 3) {
    switch -CaseSensitive ($words[1]) {
      '=' { $words[0] -ceq $words[2] }
      '!=' { $words[0] -cne $words[2] }
      '-eq' { [long]$words[0] -eq [long]$words[2] }
      '-ne' { [long]$words[0] -ne [long]$words[2] }
      '-lt' { [long]$words[0] -lt [long]$words[2] }
      '-gt' { [long]$words[0] -gt [long]$words[2] }
      default { $false }
    }
  } else { $words.Count -eq 1 -and $words[0] -ne '' }
  $global:LASTEXITCODE = if ($holds -xor $negated) { 0 } else { 1 }
}`,
  grep: `function grep {
  $options = ''; $words = @()
  foreach ($each in $args) {
    if ($words.Count -eq 0 -and "$each" -cmatch '^-[qivEF]+$') { $options += "$each" } else { $words += "$each" }
  }
  $search = @{ Pattern = $words[0]; CaseSensitive = $options -cnotmatch 'i'; SimpleMatch = $options -cmatch 'F'; NotMatch = $options -cmatch 'v' }
  $files = @($words | Select-Object -Skip 1)
  $found = @(if ($files.Count -gt 0) { Select-String @search -LiteralPath $files } else { $input | Out-String -Stream | Select-String @search })
  if ($options -cnotmatch 'q') { $found | ForEach-Object { $_.Line } }
  $global:LASTEXITCODE = if ($found.Count -gt 0) { 0 } else { 1 }
}`,
  printf: String.raw`function printf {
  $values = New-Object System.Collections.Queue
  foreach ($each in ($args | Select-Object -Skip 1)) { $values.Enqueue("$each") }
  $text = [regex]::Replace("$($args[0])", '\\[nrt\\]|%[sd%]', {
    param($match)
    switch -CaseSensitive ($match.Value) {
      '\n' { [string][char]10 }
      '\r' { [string][char]13 }
      '\t' { [string][char]9 }
      '\\' { '\' }
      '%%' { '%' }
      default { if ($values.Count -gt 0) { $values.Dequeue() } else { '' } }
    }
  })
  if ($text.EndsWith([string][char]10)) { $text.Substring(0, $text.Length - 1) } else { $text }
}`,
}

/** What the functions share. */
export const shimSupport: Readonly<Record<string, string>> = {
  // Before 7.3 PowerShell drops the double quotes inside an argument of a native program, for instance those of JSON.
  HaftWords: String.raw`function HaftWords($words) {
  if ("$PSNativeCommandArgumentPassing" -in 'Windows', 'Standard') { return $words }
  foreach ($word in $words) { "$word" -replace '(\\*)"', '$1$1\"' }
}`,
  HaftRequest: String.raw`function HaftRequest($method, $words) {
  $words = @($words)
  if ($words.Count -gt 1 -and "$($words[1])" -match '^\s*[\[{]') {
    $words = @($words[0], '-H', 'Content-Type: application/json', '-d') + @($words[1..($words.Count - 1)])
  }
  $words = @(HaftWords $words)
  & curl.exe -sS -X $method @words
}`,
}

/** Which of the shared ones a function needs, in their order. */
export const supportOf: Readonly<Record<string, readonly string[]>> = {
  curl: ["HaftWords"],
  wget: ["HaftWords"],
  ...Object.fromEntries(verbs.map((verb) => [verb, ["HaftWords", "HaftRequest"]])),
}
