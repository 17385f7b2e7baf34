import type { Argument } from "../../argument.js"
import type { ProgramFamily, ReadProgram } from "../program.js"

/** Package managers and build tools run what the project says, so all of them are opaque; some also name their registry. */
export const packageManagers: ProgramFamily = {
  npm: manager(
    "@npm",
    "add audit ci exec i info init install install-test it outdated publish search show up update view x",
  ),
  pnpm: manager("@npm", "add audit create dlx i import install outdated publish up update"),
  yarn: manager("@npm", "add audit create dlx info install npm outdated publish up upgrade", "@npm"),
  bun: manager("@npm", "a add create i install outdated publish update x"),
  npx: manager("@npm", ""),
  pip: manager("@pip", "download index install search wheel"),
  pip3: manager("@pip", "download index install search wheel"),
  pipx: manager("@pip", "install run upgrade"),
  poetry: manager("@pip", "add install lock publish update"),
  uv: manager("@pip", "add lock pip sync tool"),
  cargo: manager("@cargo", "add binstall fetch install publish search update"),
  apt: manager("@apt", "dist-upgrade download full-upgrade install source update upgrade"),
  "apt-get": manager("@apt", "build-dep dist-upgrade download install source update upgrade"),
  aptitude: manager("@apt", "download install update upgrade"),
}

function manager(bundle: string, fetching: string, withoutWords?: string): ReadProgram {
  const subcommands = new Set(fetching.split(" "))
  return (words, findings) => {
    findings.opaque("it runs what the project and its packages say")
    const subcommand = firstOperand(words)
    const host = subcommand === undefined ? withoutWords : subcommands.has(subcommand) ? bundle : undefined
    if (host) findings.host({ host })
  }
}

function firstOperand(words: readonly Argument[]): string | undefined {
  return words.find((word) => !word.text.startsWith("-"))?.text
}
