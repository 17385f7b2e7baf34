/** The sentences that a toolset's paragraph gains on Windows, where `bash` runs PowerShell. */
export const windowsShellRules =
  "On Windows, bash runs the command in PowerShell, neither GNU bash nor cmd.exe: write PowerShell. For HTTP prefer curl.exe or Invoke-RestMethod; a shim also takes curl, wget and bare verbs such as GET http://127.0.0.1:18790/health. Do not count on Unix programs or GNU behaviour: no grep, sed, awk, tail -f, no cmd1 && cmd2, no quoting of bash. For the first lines use Select-Object -First N; the shim also takes head -N and which."
