import { type Argument, type Findings, quoted } from "../findings.js"
import type { ProgramFamily, ReadProgram } from "../program.js"

/** Package managers and build tools run what the project says, so all of them are opaque; some also name their registry. */
export const packageManagers: ProgramFamily = {
  npm: manager("npm", "@npm", {
    fetching: "add audit ci exec i info init install install-test it outdated publish search show up update view x",
    running: "exec x",
  }),
  pnpm: manager("pnpm", "@npm", {
    fetching: "add audit create dlx i import install outdated publish up update",
    running: "exec dlx",
  }),
  yarn: manager("yarn", "@npm", {
    fetching: "add audit create dlx info install npm outdated publish up upgrade",
    running: "exec dlx",
    withoutWords: "@npm",
  }),
  bun: manager("bun", "@npm", { fetching: "a add create i install outdated publish update x", running: "x" }),
  npx: runner,
  pnpx: runner,
  bunx: runner,
  uvx: runner,
  pip: manager("pip", "@pip", { fetching: "download index install search wheel" }),
  pip3: manager("pip3", "@pip", { fetching: "download index install search wheel" }),
  pipx: manager("pipx", "@pip", { fetching: "install run upgrade", running: "run" }),
  poetry: manager("poetry", "@pip", { fetching: "add install lock publish update", running: "run" }),
  uv: manager("uv", "@pip", { fetching: "add lock pip sync tool", running: "run" }),
  cargo: manager("cargo", "@cargo", { fetching: "add binstall fetch install publish search update" }),
  apt: manager("apt", "@apt", { fetching: "dist-upgrade download full-upgrade install source update upgrade" }),
  "apt-get": manager("apt-get", "@apt", {
    fetching: "build-dep dist-upgrade download install source update upgrade",
  }),
  aptitude: manager("aptitude", "@apt", { fetching: "download install update upgrade" }),
}

/** The subcommands that talk to the registry, those that run the program named behind them, and the host of the bare name. */
interface Subcommands {
  readonly fetching: string
  readonly running?: string
  readonly withoutWords?: string
}

function manager(name: string, bundle: string, { fetching, running = "", withoutWords }: Subcommands): ReadProgram {
  const fetches = new Set(fetching.split(" "))
  const runs = new Set(running.split(" "))
  return (words, findings) => {
    findings.runsCode("it runs what the project and its packages say")
    refuseChoosers(words, findings)
    const start = words.findIndex((word) => !word.text.startsWith("-"))
    if (start > 0) findings.readings.push([name, ...words.slice(start).map((word) => word.text)])
    const subcommand = words[start]?.text
    const host = subcommand === undefined ? withoutWords : fetches.has(subcommand) ? bundle : undefined
    if (host) findings.host({ host })
    if (subcommand !== undefined && runs.has(subcommand)) nameProgram(words, start + 1, findings)
  }
}

/** `npx tool` runs a program of a package, or one that is installed. */
function runner(words: readonly Argument[], findings: Findings): void {
  findings.runsCode("it runs what the project and its packages say")
  refuseChoosers(words, findings)
  nameProgram(words, 0, findings)
}

/** The program behind a runner counts by its name, without the runner, for deny and ask rules. */
function nameProgram(words: readonly Argument[], from: number, findings: Findings): void {
  let at = from
  for (; at < words.length && words[at]!.text.startsWith("-"); at++) {
    // Other options are followed by their value, or by a line for a shell.
    if (!harmlessOptions.has(words[at]!.text))
      findings.steered(`which program ${quoted(words[at]!.text)} runs is not known`)
  }
  findings.program = at
  if (at < words.length) findings.readings.push(words.slice(at).map(({ text }) => text))
}

const harmlessOptions = new Set(["-y", "--yes", "-q", "--quiet", "--no", "--no-install", "--bun", "--offline", "--"])

/** Options that choose the shell, the configuration or further code; npm takes the beginning of one for the whole. */
function refuseChoosers(words: readonly Argument[], findings: Findings): void {
  const end = words.findIndex(({ text }) => text === "--")
  const odd = words.slice(0, end < 0 ? words.length : end).find(({ text }) => {
    const [name = ""] = text.split("=")
    return name.length > 4 && choosers.some((option) => option.startsWith(name))
  })
  if (odd) findings.steered(`the option ${quoted(odd.text)} decides which programs run`)
}

const choosers = ["--script-shell", "--node-options", "--userconfig", "--globalconfig", "--config"]
