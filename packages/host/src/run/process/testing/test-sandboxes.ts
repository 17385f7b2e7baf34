import { existsSync } from "node:fs"
import type { Isolation } from "@haft/contract"
import type { Launch, PreparedSandbox, SandboxRequest } from "../../../sandbox/sandbox.js"

type TestSandbox = (
  request: Pick<SandboxRequest, "directory" | "environment"> & Partial<SandboxRequest>,
) => PreparedSandbox

/** No sandbox at all: the program is started as it is. */
export const plainSandbox: TestSandbox = ({ directory, environment }) =>
  sandboxOf("none", (argv) => ({ file: argv[0]!, args: argv.slice(1), cwd: directory, environment }))

/** The smallest real sandbox with a process and a network namespace; everything writable. */
export const namespaceSandbox: TestSandbox = ({ directory, environment }) =>
  sandboxOf("namespaces", (argv) => ({
    file: "/usr/bin/bwrap",
    args: [
      ...["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net"],
      ...["--die-with-parent", "--new-session", "--", ...argv],
    ],
    cwd: directory,
    environment,
  }))

/** Whether the tests can build the real one. */
export const hasNamespaces = process.platform === "linux" && existsSync("/usr/bin/bwrap")

interface Plan {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

function sandboxOf(level: Isolation["level"], plan: (argv: readonly string[]) => Plan): PreparedSandbox {
  const launch = (argv: readonly string[]): Launch => {
    const { file, args, cwd, environment } = plan(argv)
    const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...environment }
    return { file, args, cwd, env, extraFds: [] }
  }
  const isolation: Isolation = {
    level,
    backend: level === "none" ? "none" : "bwrap",
    profile: level === "none" ? "none" : "workspace-write",
    network: level === "none" ? "host" : "none",
    limits: { enforcedBy: "none" },
    notes: [],
  }
  return { isolation, launch, release: async () => ({ quarantined: [] }) }
}
