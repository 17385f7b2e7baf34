import { createToolIndex } from "@haft/runtime"
import type { BenchCase } from "../bench-case.js"
import { percentile } from "../measure.js"
import { noOpTool } from "../no-op-tool.js"

const verbs = ["create", "list", "update", "delete", "search", "export", "merge", "watch", "archive", "compare"]
const things = [
  "issue",
  "branch",
  "invoice",
  "message",
  "calendar",
  "deployment",
  "dashboard",
  "customer",
  "file",
  "log",
]
const places = ["github", "slack", "jira", "stripe", "notion", "sentry", "linear", "figma", "gmail", "postgres"]

const queries = [
  "create an issue in the tracker",
  "+invoice send to a customer",
  "search messages by date",
  "select:slack_list_message,jira_create_issue",
  "deploy",
  "which dashboard shows errors of the last deployment of a service",
]

/** Finding a tool among a thousand. */
export const toolSearch: BenchCase = {
  name: "tool-search",
  limits: {
    p50: { atMost: 1000, unit: "µs", what: "tool_search over 1,000 tools, p50" },
    first: { atMost: 1000, unit: "ms", what: "the first search, which builds the index" },
  },
  async run() {
    const tools = thousandTools()
    const index = createToolIndex(
      () => tools,
      () => undefined,
    )
    const first = time(() => index.search(queries[0]!, { max: 5 }))
    const times: number[] = []
    for (let round = 0; round < 3000; round++) {
      const query = queries[round % queries.length]!
      const elapsed = time(() => {
        if (index.search(query, { max: 5 }).length === 0) throw new Error(`nothing was found for: ${query}`)
      })
      if (round >= 300) times.push(elapsed * 1000)
    }
    return { p50: { value: percentile(times, 0.5) }, first: { value: first } }
  },
}

function thousandTools() {
  return places.flatMap((place) =>
    verbs.flatMap((verb) =>
      things.map((thing) => {
        const tool = noOpTool(`${place}_${verb}_${thing}`, "safe")
        const description = `Lets you ${verb} a ${thing} in ${place}, with all of its fields, owners and dates. Use when the person asks to ${verb} one; does not send anything to others.`
        return { ...tool, manifest: { ...tool.manifest, title: `${verb} ${thing}`, description } }
      }),
    ),
  )
}

function time(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}
