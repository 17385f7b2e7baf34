import type { InspectorProps, InterventionProps, StreamingProps } from "@haft/contract"
import {
  ArgumentsEditor,
  Chip,
  defineWords,
  Facts,
  FileView,
  InspectorLine,
  knownArgs,
  listAt,
  numberAt,
  PlainText,
  Preview,
  type ResultProps,
  Terminal,
  textAt,
  textsAt,
  useSay,
  useWords,
} from "@haft/faces"

export function CellInspector(props: InspectorProps) {
  const args = knownArgs(props)
  const cell = textAt(props.pluginState, "cell_id") ?? textAt(args, "cell_id")
  const mode = textAt(args, "edit_mode")
  return (
    <InspectorLine props={props}>
      {mode !== undefined && <Chip>{mode}</Chip>}
      {cell !== undefined && <Chip>{cell.slice(0, 40)}</Chip>}
    </InspectorLine>
  )
}

/** The source as it is written. */
export function CellStreaming({ args }: StreamingProps) {
  const source = textAt(args, "new_source")
  return source === undefined ? null : <FileView text={source} path={languageOf(args)} />
}

export function CellIntervention({ args, request, onArgsChange }: InterventionProps) {
  const source = textAt(args, "new_source")
  return (
    <>
      {source !== undefined && <FileView text={source} path={languageOf(args)} />}
      {request?.preview && (
        <Preview preview={request.preview} {...(source !== undefined && { except: "files" as const })} />
      )}
      <ArgumentsEditor args={args} onChange={onArgsChange} except={["new_source"]} />
    </>
  )
}

/** The cell before and after, as far as each is known. */
export function CellResult({ args, data, details, isWhole }: ResultProps) {
  const say = useSay()
  const own = useWords(words)
  const [before, after] = [textAt(details, "before"), textAt(details, "after") ?? textAt(args, "new_source")]
  return (
    <>
      <Facts
        facts={{
          [own("cell")]: textAt(data, "cell_id"),
          [own("kind")]: textAt(data, "cell_type"),
        }}
      />
      {[
        { name: say("before"), text: before },
        { name: say("after"), text: after },
      ].map(
        ({ name, text }) =>
          text !== undefined && (
            <section key={name}>
              <p className="haft-dim">{name}</p>
              <FileView text={text} path={languageOf(data)} />
            </section>
          ),
      )}
      <p className="haft-dim">{own("cells", { n: numberAt(data, "cell_count") ?? 0 })}</p>
      {isWhole && <WholeNotebook cells={listAt(details, "cells")} changed={textAt(data, "cell_id")} />}
    </>
  )
}

/** Every cell with what it gave, as the notebook is after the change. */
function WholeNotebook({
  cells,
  changed,
}: {
  readonly cells: readonly unknown[]
  readonly changed: string | undefined
}) {
  const own = useWords(words)
  return cells.map((cell, index) => {
    const id = textAt(cell, "id") ?? ""
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: two cells may have one id.
      <section key={index} className="haft-cell" data-changed={id === changed || undefined}>
        <p className="haft-dim">
          {own("cell")} <PlainText text={id} max={80} /> · {textAt(cell, "type")}
        </p>
        <FileView
          text={textAt(cell, "source") ?? ""}
          path={textAt(cell, "type") === "markdown" ? "markdown" : "python"}
          maxLines={60}
        />
        {textsAt(cell, "outputs").map((output, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an output has no other name than its place.
          <Terminal key={place} text={output} maxLines={40} />
        ))}
      </section>
    )
  })
}

function languageOf(value: unknown): string {
  return textAt(value, "cell_type") === "markdown" ? "markdown" : "python"
}

/** What only the faces of this family say. */
const words = defineWords(
  { cell: "Cell", mode: "Change", cells: "{n} cell|{n} cells", kind: "Kind" },
  { cell: "单元格", mode: "改动", cells: "{n} 个单元格", kind: "类型" },
)
