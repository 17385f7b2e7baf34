import type { CommandPartAnalysis } from "../command/command-analysis.js"
import { nameOf } from "../path/parts.js"

/** The programs that a part names: its own and the wrappers in front of it, without folders. */
export function programsOf({ argv, wrappers }: CommandPartAnalysis): readonly string[] {
  return argv[0] === undefined ? wrappers : [...wrappers, nameOf(argv[0])]
}

/** Whether a part talks to other machines. */
export function talks(part: CommandPartAnalysis): boolean {
  return part.hosts.length > 0 || programsOf(part).some((program) => talking.has(program))
}

const talking = new Set(
  "curl wget ssh scp sftp rsync nc ncat netcat telnet socat ftp dig nslookup host ping ping6 whois mail sendmail http xh".split(
    " ",
  ),
)

/** Whether a part runs text that it is given. */
export function interprets(part: CommandPartAnalysis): boolean {
  return programsOf(part).some((program) => interpreting.test(program))
}

const interpreting =
  /^(?:(?:ba|da|z|k|a|fi|c|tc)?sh|eval|source|\.|python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|xargs)$/
