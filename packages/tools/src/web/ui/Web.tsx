import type { InspectorProps, PlaceholderProps } from "@haft/contract"
import {
  Chip,
  Facts,
  InspectorLine,
  JsonTree,
  knownArgs,
  Link,
  listAt,
  Markdown,
  Note,
  numberAt,
  PlainText,
  type ResultProps,
  recordOf,
  Skeleton,
  Switch,
  sizeText,
  TextView,
  textAt,
  textsAt,
  useSay,
  useWords,
} from "@haft/faces"
import { useState } from "react"
import { words } from "./words.js"

/** The address, the status and the size. */
export function PageInspector(props: InspectorProps) {
  const args = knownArgs(props)
  const status = numberAt(props.pluginState, "status") ?? numberAt(props.pluginState, "code")
  const method = textAt(args, "method")
  const body = bodyOf(props.pluginState)
  return (
    <InspectorLine props={props}>
      {method !== undefined && method !== "GET" && <Chip>{method}</Chip>}
      {status !== undefined && <Chip tone={status < 400 ? "good" : "bad"}>{String(status)}</Chip>}
      {body !== undefined && <Chip>{sizeText(body.length)}</Chip>}
    </InspectorLine>
  )
}

export function WebPlaceholder({ words: { loading } }: PlaceholderProps) {
  return <Skeleton label={loading} rows={3} shape="rows" />
}

/** What a server answered: the page as text, its source, and where it came from. */
export function PageResult({ args, data, details, isWhole }: ResultProps) {
  const own = useWords(words)
  const [view, setView] = useState<"page" | "source">("page")
  const url = textAt(data, "url") ?? textAt(details, "url")
  const redirects = textsAt(details, "redirects")
  const body = bodyOf(data) ?? ""
  const type = textAt(data, "content_type")
  const isMarkdown = (textAt(args, "format") ?? "markdown") === "markdown" && type?.includes("json") !== true
  return (
    <>
      <Facts
        facts={{
          [own("page")]: textAt(data, "title"),
          [own("address")]: url !== undefined && (
            <Link address={url}>
              <PlainText text={url} max={500} />
            </Link>
          ),
          [own("redirected")]: redirects.length > 0 && <Chain addresses={redirects.slice(0, 20)} />,
          [own("type")]: type,
        }}
      />
      {isMarkdown && body !== "" && (
        <Switch
          label={own("view")}
          value={view}
          onChange={setView}
          options={{ page: own("page"), source: own("source") }}
        />
      )}
      {isMarkdown && view === "page" ? (
        <Markdown text={isWhole ? body : body.slice(0, 3000)} />
      ) : (
        <TextView text={body} maxLines={isWhole ? 2000 : 30} />
      )}
      {isWhole && data.headers !== undefined && <JsonTree name={own("headers")} value={recordOf(data.headers)} />}
    </>
  )
}

/** The addresses that sent the reader on, first to last. */
function Chain({ addresses }: { readonly addresses: readonly string[] }) {
  return (
    <ol className="haft-chain">
      {addresses.map((address, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one address may send the reader on twice.
        <li key={index}>
          <PlainText text={address} max={500} />
        </li>
      ))}
    </ol>
  )
}

function bodyOf(data: unknown): string | undefined {
  return textAt(data, "content") ?? textAt(data, "body") ?? textAt(data, "text") ?? textAt(data, "result")
}

export function ResultsInspector(props: InspectorProps) {
  const own = useWords(words)
  const results = listAt(props.pluginState, "results")
  return (
    <InspectorLine props={props}>
      {props.pluginState !== undefined && <Chip>{own("results", { n: results.length })}</Chip>}
    </InspectorLine>
  )
}

/** Titles with their addresses; nothing is opened or loaded. */
export function SearchResults({ data, details, isWhole }: ResultProps) {
  const say = useSay()
  const own = useWords(words)
  const results = listAt(data, "results").filter((result) => textAt(result, "url") !== undefined)
  if (results.length === 0) return <Note>{own("noResults")}</Note>
  const shown = results.slice(0, isWhole ? 100 : 5)
  return (
    <>
      <ol className="haft-sources">
        {shown.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one address may be found twice.
          <li key={index}>
            <Link address={textAt(result, "url")!}>
              <PlainText text={textAt(result, "title") ?? textAt(result, "url")!} max={300} />
            </Link>
            <span className="haft-dim">
              <PlainText text={textAt(result, "url")!} max={120} />
            </span>
            <span>
              <PlainText text={textAt(result, "snippet") ?? ""} max={400} />
            </span>
          </li>
        ))}
      </ol>
      {results.length > shown.length && <Note>{say("moreEntries", { n: results.length - shown.length })}</Note>}
      {textAt(details, "provider") !== undefined && <Note>{`${own("provider")} ${textAt(details, "provider")}`}</Note>}
    </>
  )
}
