/** The places in which a call can be written, as people name them. */
export const callForms = ["CLI", "TypeScript", "MCP", "curl"] as const

type Args = Readonly<Record<string, unknown>>

/** One call as each of them writes it. Values are quoted, so that a paste runs exactly this and nothing else. */
export const callAs: Readonly<Record<(typeof callForms)[number], (tool: string, args: Args) => string>> = {
  CLI: (tool, args) => ["haft call", tool, ...Object.entries(args).map(commandArgument)].join(" "),
  TypeScript: (tool, args) =>
    [
      'import { createHaft } from "haft"',
      "",
      'const haft = await createHaft({ roots: ["."] })',
      "const session = await haft.openSession()",
      `const envelope = await session.call(${JSON.stringify(tool)}, ${JSON.stringify(args, undefined, 2)})`,
    ].join("\n"),
  MCP: (tool, args) =>
    JSON.stringify(
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } },
      undefined,
      2,
    ),
  curl: (tool, args) =>
    [
      `curl -s ${location.origin}/api/sessions/$SESSION/calls`,
      '-H "Authorization: Bearer $HAFT_TOKEN"',
      "-H 'Content-Type: application/json'",
      `-d ${shellWord(JSON.stringify({ tool, args }))}`,
    ].join(" \\\n  "),
}

function commandArgument([key, value]: readonly [string, unknown]): string {
  return typeof value === "string" ? shellWord(`${key}=${value}`) : shellWord(`${key}:=${JSON.stringify(value)}`)
}

/** A word for a POSIX shell: bare where nothing in it means anything, else in single quotes. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
