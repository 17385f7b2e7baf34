import type { ProgramFamily, ReadProgram } from "../program.js"

/** Package managers and build tools run what the project says, so all of them are opaque; some also name their registry. */
export const packageManagers: ProgramFamily = {
  npm: manager(
    "npm",
    "@npm",
    "add audit ci exec i info init install install-test it outdated publish search show up update view x",
  ),
  pnpm: manager("pnpm", "@npm", "add audit create dlx i import install outdated publish up update"),
  yarn: manager("yarn", "@npm", "add audit create dlx info install npm outdated publish up upgrade", "@npm"),
  bun: manager("bun", "@npm", "a add create i install outdated publish update x"),
  npx: manager("npx", "@npm", ""),
  pip: manager("pip", "@pip", "download index install search wheel"),
  pip3: manager("pip3", "@pip", "download index install search wheel"),
  pipx: manager("pipx", "@pip", "install run upgrade"),
  poetry: manager("poetry", "@pip", "add install lock publish update"),
  uv: manager("uv", "@pip", "add lock pip sync tool"),
  cargo: manager("cargo", "@cargo", "add binstall fetch install publish search update"),
  apt: manager("apt", "@apt", "dist-upgrade download full-upgrade install source update upgrade"),
  "apt-get": manager("apt-get", "@apt", "build-dep dist-upgrade download install source update upgrade"),
  aptitude: manager("aptitude", "@apt", "download install update upgrade"),
}

function manager(name: string, bundle: string, fetching: string, withoutWords?: string): ReadProgram {
  const subcommands = new Set(fetching.split(" "))
  return (words, findings) => {
    findings.opaque("it runs what the project and its packages say")
    const start = words.findIndex((word) => !word.text.startsWith("-"))
    if (start > 0) findings.readings.push([name, ...words.slice(start).map((word) => word.text)])
    const subcommand = words[start]?.text
    const host = subcommand === undefined ? withoutWords : subcommands.has(subcommand) ? bundle : undefined
    if (host) findings.host({ host })
  }
}
