import type { InspectorProps, PlaceholderProps } from "@haft/contract"
import {
  Attachments,
  Chip,
  FileView,
  flagAt,
  InspectorLine,
  knownArgs,
  Note,
  numberAt,
  type ResultProps,
  recordOf,
  Skeleton,
  sizeText,
  TextView,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

/** The path, where it begins, and how many lines came. */
export function ReadInspector(props: InspectorProps) {
  const say = useSay()
  const own = useWords(words)
  const _args = knownArgs(props)
  const lines = numberAt(props.pluginState, "line_count")
  const start = numberAt(props.pluginState, "start_line") ?? 1
  return (
    <InspectorLine props={props}>
      {lines !== undefined && <Chip>{say("lines", { n: lines })}</Chip>}
      {start > 1 && <Chip>{own("from", { n: start })}</Chip>}
    </InspectorLine>
  )
}

export function ReadPlaceholder({ words: { loading } }: PlaceholderProps) {
  return <Skeleton label={loading} rows={6} shape="lines" />
}

/** Lines with their numbers; a picture as one. */
export function ReadResult({ args, data, attachments, content, isWhole }: ResultProps) {
  const own = useWords(words)
  const path = pathOf(args) ?? ""
  const text = textAt(data, "content")
  const image = recordOf(data.image)
  if (data.image !== undefined) {
    const values = { type: String(image.media_type), width: String(image.width), height: String(image.height) }
    return (
      <>
        <Attachments attachments={attachments} />
        <Note>{own("pictureOf", { ...values, size: sizeText(numberAt(image, "bytes") ?? 0) })}</Note>
      </>
    )
  }
  if (text === undefined) return <TextView text={content} />
  const goesOn = numberAt(data, "next_offset") !== undefined || numberAt(data, "next_byte_offset") !== undefined
  return (
    <>
      <FileView
        text={text}
        path={path}
        startLine={Math.max(1, numberAt(data, "start_line") ?? 1)}
        maxLines={isWhole ? 2000 : 24}
      />
      {goesOn && !flagAt(data, "eof") && <Note>{own("goesOn")}</Note>}
    </>
  )
}

/** The path of a call, under the names that it has in the tools of this family and their dialect twins. */
export function pathOf(args: unknown): string | undefined {
  return ["file_path", "path", "notebook_path"].map((key) => textAt(args, key)).find((path) => path !== undefined)
}
