import {
  DataTable,
  listAt,
  numberAt,
  type ResultProps,
  sizeText,
  TextView,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

export function OverviewResult({ data, isWhole }: ResultProps) {
  const say = useSay()
  const own = useWords(words)
  const rows = listAt(data, "languages").map((language) => [
    textAt(language, "name") ?? "",
    `${Math.round((numberAt(language, "share") ?? 0) * 100)} %`,
    String(numberAt(language, "files") ?? ""),
    sizeText(numberAt(language, "bytes") ?? 0),
  ])
  return (
    <>
      {rows.length > 0 && (
        <DataTable
          label={say("result")}
          head={[own("language"), own("share"), own("files"), own("size")]}
          rows={rows}
          maxRows={isWhole ? 100 : 8}
        />
      )}
      <TextView text={textAt(data, "tree") ?? ""} maxLines={isWhole ? 1000 : 25} />
    </>
  )
}
