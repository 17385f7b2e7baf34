import { ToolError } from "@haft/contract"
import { type Pin, toolChanges } from "@haft/mcp"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { openHaft } from "../open-haft.js"
import { printValue } from "../print.js"
import { serverNamed } from "./server-named.js"

/** `haft mcp test`: starts or reaches a trusted server once, and says what it is and what changed. */
export const run: Run = async (invocation, io) => {
  const { haft, setup } = await openHaft(invocation, io, { touchesFiles: false, journal: false })
  try {
    const { name, entry, pin, state, reason } = serverNamed(invocation.operands[0]!, setup)
    if (state !== "trusted" || !entry || !pin) {
      const words = reason ?? "it is not trusted"
      throw new ToolError(
        state === "broken" ? "not_configured" : "denied",
        `Cannot start the MCP server "${name}": ${words}`,
        {
          hint: `Look at it with: haft mcp trust ${name}`,
        },
      )
    }
    const started = performance.now()
    const signal = io.signal ?? new AbortController().signal
    const found = await haft.inspectServer({ entry, signal })
    const changes = changeWords(pin, found.pin)
    const report = {
      ...{ name, server: found.serverName, era: found.pin.era, protocol: found.protocolVersion },
      ...{ tools: found.pin.tools.length, problems: found.problems, changes, stderr: found.errors },
      ms: Math.round(performance.now() - started),
    }
    printValue(invocation, io, report, ({ say }) =>
      [
        say`${name} works: ${report.server}, protocol ${report.protocol}, ${report.tools} tools, ${report.ms} ms`,
        ...found.problems.map((problem) => say(problem)),
        ...changes.map((change) => say(change)),
      ].join("\n"),
    )
    return changes.length === 0 ? exitCodes.ok : exitCodes.checkFailed
  } finally {
    await haft.close()
  }
}

/** What differs from what is trusted, one sentence for each tool. */
export function changeWords(trusted: Pin, found: Pin): readonly string[] {
  const { changed, removed, added } = toolChanges(trusted.tools, found.tools)
  return [
    ...[...changed].map(([tool, words]) => `${tool}: ${words}`),
    ...removed.map((tool) => `${tool}: the server has it no more`),
    ...added.map((tool) => `${tool}: new, and not trusted`),
  ]
}
