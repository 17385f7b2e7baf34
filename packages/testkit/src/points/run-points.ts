import { echoes } from "../check-tool.js"
import type { ToolPackage, World } from "./point.js"

/** Wrong arguments are an error in our shape, never a throw. */
export async function validates({ tools }: ToolPackage, { runs }: World): Promise<readonly string[]> {
  const { session } = await runs.open()
  const problems: string[] = []
  for (const tool of tools) {
    const { input, id } = tool.manifest
    const keys = Object.keys(input.def.shape as object)
    const wrong: readonly unknown[] = [...keys.map((key) => ({ [key]: { odd: [] } })), { no_such_key: 1 }, [1], "text"]
    for (const given of wrong) {
      if (input.safeParse(given).success) continue
      const { envelope } = await session.result(id, given, { answer: "once" })
      if (envelope.type !== "error" || envelope.metadata.error_code !== "invalid_args")
        problems.push(`${id}: ${JSON.stringify(given)} gives ${envelope.type} ${envelope.metadata.error_code ?? ""}`)
    }
  }
  return problems
}

/** Every example ends in an envelope, and none in a defect. */
export async function envelopes(_: ToolPackage, { runs }: World): Promise<readonly string[]> {
  return (await runs.examples()).flatMap(({ tool, example, envelope }) => {
    const { type, metadata } = envelope
    const hasBody = type === "output" ? envelope.data !== undefined : envelope.error_text !== ""
    const isDefect = metadata.error_code === "internal"
    const fits = hasBody && typeof metadata.duration_ms === "number" && !isDefect
    const words = type === "error" ? envelope.error_text : "it has no data"
    return fits ? [] : [`${tool.manifest.id}, "${example.name}": ${words}`]
  })
}

const patienceMs = 5000

/** A call that is aborted ends soon. */
export async function stops({ tools }: ToolPackage, { runs }: World): Promise<readonly string[]> {
  const problems: string[] = []
  for (const tool of tools) {
    const [example] = (await tool.examples()).examples
    if (example === undefined) continue
    const { session } = await runs.open(example.files)
    const stop = new AbortController()
    const ended = session.result(tool.manifest.id, example.input, { answer: "once", signal: stop.signal })
    setTimeout(() => stop.abort(), 20)
    const late = new Promise<undefined>((done) => setTimeout(done, patienceMs, undefined).unref())
    if ((await Promise.race([ended, late])) === undefined)
      problems.push(`${tool.manifest.id}: still running ${patienceMs} ms after it was aborted`)
  }
  return problems
}

/** Every example ends as it says, with words for the model. */
export async function examples(_: ToolPackage, { runs }: World): Promise<readonly string[]> {
  return (await runs.examples()).flatMap(({ tool, example, envelope, problems }) => {
    // As the tool words it: a session would say itself that there is nothing.
    const content =
      envelope.type === "output" ? tool.present(envelope.data as never, tool.manifest.input.parse(example.input)) : []
    const words = content.map((part) => (part.type === "text" ? part.text : part.mediaType)).join("")
    const isSilent = envelope.type === "output" ? words.trim() === "" : envelope.error_text.trim() === ""
    const silent = isSilent ? ["what the model reads is empty"] : []
    return [...problems, ...silent].map((problem) => `${tool.manifest.id}, "${example.name}": ${problem}`)
  })
}

/** No result repeats a whole input. */
export async function echoing(_: ToolPackage, { runs }: World): Promise<readonly string[]> {
  return (await runs.examples()).flatMap(({ tool, example, envelope, content }) => {
    if (envelope.type === "error") return []
    const data = envelope.data as Readonly<Record<string, unknown>>
    return echoes(tool, example, { type: "output", data, content }).map(
      (key) => `${tool.manifest.id}, "${example.name}": the result repeats "${key}"`,
    )
  })
}
