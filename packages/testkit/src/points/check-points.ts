import { checkExamples, checkFolder, checkManifest, checkMessages } from "../check-tool.js"
import { drawn, inspectors, renders } from "./face-points.js"
import {
  type Check,
  cannotDraw,
  named,
  type PointOptions,
  type PointResult,
  perTool,
  type ToolPackage,
} from "./point.js"
import { echoing, envelopes, examples, stops, validates } from "./run-points.js"
import { Runs } from "./runs.js"
import { imports, reaching } from "./source-points.js"

/** Goes through both checklists: that of implementors and that of authors. Each point is tried, whatever the others say. */
export async function checkPoints(subject: ToolPackage, options: PointOptions): Promise<readonly PointResult[]> {
  const runs = new Runs(subject.tools, options)
  const results: PointResult[] = []
  try {
    for (const { list, point, check } of points) {
      const found = await attempt(() => check(subject, { runs, draw: options.draw }))
      const isSkipped = found === cannotDraw
      results.push({
        list,
        point,
        result: isSkipped ? "skipped" : found.length === 0 ? "ok" : "failed",
        problems: found,
      })
    }
    return results
  } finally {
    await runs.close()
  }
}

const points: readonly { readonly list: PointResult["list"]; readonly point: string; readonly check: Check }[] = [
  {
    list: "specification",
    point: "publishes id, description, parameters and what it requires",
    check: ({ tools }) => perTool(tools, ({ manifest }) => checkManifest(manifest)),
  },
  {
    list: "specification",
    point: "arguments are validated before it runs; a wrong one is an error and no throw",
    check: validates,
  },
  {
    list: "specification",
    point: "reaches the world only through its context",
    check: ({ sources }) => reaching(sources),
  },
  { list: "specification", point: "every result is the uniform envelope", check: envelopes },
  { list: "specification", point: "stops when the session aborts", check: stops },
  {
    list: "authoring",
    point: "the id is stable, and the name of its folder",
    check: ({ tools, folder }) => [
      ...(tools.length === 1 ? checkFolder(tools[0]!.manifest.id, folder) : []),
      ...perTool(tools, ({ manifest: { id, formerIds = [] } }) =>
        formerIds.includes(id) ? ["a former id is the id"] : [],
      ),
    ],
  },
  {
    list: "authoring",
    point: "manifest, execute, Inspector and titles in both languages; exports . ./execute ./faces",
    check: wired,
  },
  {
    list: "authoring",
    point: "3 to 5 examples, whose inputs and outputs fit the schemas",
    check: async ({ tools }) =>
      (
        await Promise.all(tools.map(async (tool) => named(tool, checkExamples(tool, (await tool.examples()).examples))))
      ).flat(),
  },
  { list: "authoring", point: "the prompt names each tool and points to batch variants", check: prompts },
  { list: "authoring", point: "execute imports neither React nor Node", check: ({ sources }) => imports(sources) },
  {
    list: "authoring",
    point: "every example ends as it says, and present has words for it, also for an error",
    check: examples,
  },
  { list: "authoring", point: "no result echoes a whole input", check: echoing },
  {
    list: "authoring",
    point: "Inspector is drawn while arguments stream, while it runs, and without state",
    check: inspectors,
  },
  { list: "authoring", point: "Render is nothing without data", check: renders },
  { list: "authoring", point: "Placeholder is drawn for what can last", check: drawn("Placeholder", {}) },
  {
    list: "authoring",
    point: "Streaming is drawn for output that comes while it runs",
    check: drawn("Streaming", { output: "a line\n" }),
  },
  {
    list: "authoring",
    point: "Intervention is drawn where a rule can ask",
    check: drawn("Intervention", { interactionMode: "approval" }),
  },
  {
    list: "authoring",
    point: "Portal is drawn for a result",
    check: drawn("Portal", { arguments: {}, state: undefined, content: "" }),
  },
]

async function attempt(check: () => readonly string[] | Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await check()
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function wired({ tools, exports }: ToolPackage): readonly string[] {
  const wanted = [".", "./execute", "./faces"]
  return [
    ...(exports === undefined
      ? []
      : wanted.filter((key) => !exports.includes(key)).map((key) => `the exports map lacks "${key}"`)),
    ...perTool(tools, checkMessages),
  ]
}

function prompts({ tools, prompt }: ToolPackage): readonly string[] {
  // The description of a single tool is enough; several need words that distinguish them.
  if (tools.length < 2) return []
  if (prompt === undefined) return ["several tools need a prompt that says which is for what"]
  return tools
    .filter(({ manifest: { id } }) => !prompt.includes(id))
    .map(({ manifest: { id } }) => `the prompt does not name ${id}`)
}
