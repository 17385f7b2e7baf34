import { ToolError } from "@haft/contract"
import { launchOf, type Pin, pinDigest } from "./entry/pin.js"
import type { Connection } from "./wire/connection.js"
import type { OpenRequest } from "./wire/open-request.js"

/** What a look at a server showed. */
export interface Inspected {
  readonly pin: Pin
  readonly serverName: string
  readonly protocolVersion: string
  /** Tools that cannot be used, one sentence each. */
  readonly problems: readonly string[]
  /** The last that it wrote to standard error. */
  readonly errors: string
}

/** Starts or reaches a server once, to see what it is: for a person who is about to trust it, or wants to know whether it works. */
export async function inspectServer(
  request: Omit<OpenRequest, "onElicit" | "onToolsChanged" | "hasPerson">,
): Promise<Inspected> {
  const { entry, ports } = request
  const program = entry.kind === "stdio" ? await ports.servers?.find(entry.command) : undefined
  const { Connection } = await import("./wire/connection.js")
  const connection = await Connection.open({
    ...request,
    hasPerson: false,
    onElicit: async () => ({ action: "decline" }),
    onToolsChanged: () => undefined,
  })
  try {
    const { era, hasResources, hasPrompts, otherHosts } = connection
    const checked = checkedTools(connection)
    const { tools } = checked
    const problems = [...connection.problems, ...checked.problems]
    if (tools.length === 0 && !hasResources && !hasPrompts) throw nothingOffered(entry.name, problems)
    const launch = launchOf(entry, program)
    return {
      pin: {
        ...{ name: entry.name, ...(entry.folder !== undefined && { folder: entry.folder }), launch, tools, era },
        ...{
          digest: pinDigest(launch, tools),
          resources: hasResources,
          prompts: hasPrompts,
          hosts: otherHosts,
          at: Date.now(),
        },
      },
      serverName: connection.serverName,
      protocolVersion: connection.protocolVersion,
      problems,
      errors: connection.errors,
    }
  } finally {
    await connection.close()
  }
}

function nothingOffered(name: string, [problem]: readonly string[]): ToolError {
  const why = problem === undefined ? "" : `: ${problem}`
  return new ToolError("not_found", `Cannot use the MCP server "${name}": it offers nothing${why}`, {
    hint: "Go on without this server",
    fix: `Repair the server, then run: haft mcp test ${name}`,
  })
}

/** The tools whose schemas can be used: with one that cannot, every call would fail, and providers refuse the whole request. */
function checkedTools({ tools, checks }: Connection): Pick<Inspected, "problems"> & Pick<Pin, "tools"> {
  const problems: string[] = []
  const kept = tools.filter(({ name, inputSchema, outputSchema }) => {
    const flaw = checks.flaw(inputSchema) ?? (outputSchema && checks.flaw(outputSchema))
    if (flaw !== undefined)
      problems.push(`the tool "${name.slice(0, 80)}" is left out: its schema cannot be used: ${flaw.slice(0, 200)}`)
    return flaw === undefined
  })
  return { tools: kept, problems }
}
