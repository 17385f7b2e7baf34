import type { Locale, SessionRecord } from "@haft/contract"
import type { Driven } from "../../library/driven-session.js"
import { packagePath } from "../package-folder.js"
import { makeDemo } from "./demo-workspace.js"
import type { ServeWorld } from "./world.js"

/** The name of the model that follows the script. */
export const tourModel = "script:tour"

const tours = {
  en: { script: "tour.jsonl", title: "Tour", prompt: "Show me what you can do in this project." },
  "zh-CN": { script: "tour.zh-CN.jsonl", title: "导览", prompt: "让我看看你在这个项目里能做什么。" },
} as const satisfies Record<Locale, object>

/** Opens the tour in a new demo workspace, or goes on with one: the script then continues behind the replies that it gave. */
export async function openTour(
  world: ServeWorld,
  tour: Locale | SessionRecord,
): Promise<Driven & { readonly prompt: string }> {
  const earlier = typeof tour === "string" ? undefined : tour
  const language = typeof tour === "string" ? tour : languageOf(tour)
  const { script, title, prompt } = tours[language]
  const { openScript } = await import("@haft/agent")
  const model = await openScript(packagePath("demo", script))
  if (earlier) model.skip(await usedLines(world, earlier.id))
  const roots = earlier?.roots ?? [await makeDemo(world.setup.places, { name: "tour", isFresh: true })]
  const driven = await world.haft.drive({
    change: { roots, toolset: "all", mode: "ask", rules: await world.rulesNow() },
    agent: { model },
    ...(earlier ? { id: earlier.id } : { metadata: { tour: language, model: tourModel, title } }),
  })
  return { ...driven, prompt }
}

/** A tour of a former version says only that it is one, and was in English. */
function languageOf({ metadata }: SessionRecord): Locale {
  return metadata.tour === "zh-CN" ? "zh-CN" : "en"
}

/** The lines of the script that this session and those that worked for it have had. */
async function usedLines({ haft }: ServeWorld, id: string): Promise<readonly number[]> {
  const store = await haft.store()
  const children = (await store.sessions({ archived: true })).filter(({ metadata }) => metadata.parent === id)
  const lines: number[] = []
  for (const session of [id, ...children.map((child) => child.id)]) {
    for (const record of await store.records(session)) {
      const line =
        record.kind === "step" ? /"script":\{"line":(\d+)\}/.exec(JSON.stringify(record.value))?.[1] : undefined
      if (line !== undefined) lines.push(Number(line))
    }
  }
  return lines
}
