import { type ReactNode, useState } from "react"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"

/** What was found in one file. */
export interface ResultGroup {
  readonly path: string
  readonly hits: readonly ResultHit[]
}

/** A place in a file. */
export interface ResultHit {
  readonly line?: number
  readonly text: string
  /** Of the surroundings, and no match itself. */
  readonly around?: boolean
}

interface ResultListProps {
  readonly groups: readonly ResultGroup[]
  /** What is set in bold, wherever it occurs. */
  readonly match?: RegExp | undefined
  readonly perGroup?: number
  readonly maxGroups?: number
}

/** Places that were found, grouped by file. */
export function ResultList({ groups, match, perGroup = 5, maxGroups = 20 }: ResultListProps) {
  const say = useSay()
  const [shown, setShown] = useState(maxGroups)
  return (
    <div className="haft-results">
      {groups.slice(0, shown).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one file may be found twice.
        <Group key={index} group={group} match={match} limit={perGroup} />
      ))}
      {groups.length > shown && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + 200)}>
          {say("moreFiles", { n: groups.length - shown })}
        </button>
      )}
    </div>
  )
}

function Group({
  group,
  match,
  limit,
}: {
  readonly group: ResultGroup
  readonly match: RegExp | undefined
  readonly limit: number
}) {
  const say = useSay()
  const [shown, setShown] = useState(limit)
  const { path, hits } = group
  return (
    <section className="haft-result-group">
      <p className="haft-result-path">
        <code>
          <PlainText text={path} />
        </code>
        {hits.length > 0 && <span className="haft-dim haft-number">{hits.filter(({ around }) => !around).length}</span>}
      </p>
      {hits.length > 0 && (
        <table className="haft-code">
          <tbody>
            {hits.slice(0, shown).map((hit, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may be found twice.
              <tr key={index} data-around={hit.around || undefined}>
                <td className="haft-gutter" data-line={hit.line} />
                <td>
                  <code>
                    {match && !hit.around ? marked(hit.text, match) : <PlainText text={hit.text} max={500} />}
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hits.length > shown && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + 500)}>
          {say("moreLines", { n: hits.length - shown })}
        </button>
      )}
    </section>
  )
}

function marked(text: string, match: RegExp): ReactNode {
  const shown = text.slice(0, 500)
  const found = match.exec(shown)
  if (found === null || found[0] === "") return <PlainText text={text} max={500} />
  const [start, end] = [found.index, found.index + found[0].length]
  return (
    <>
      <PlainText text={shown.slice(0, start)} />
      <mark>
        <PlainText text={found[0]} />
      </mark>
      <PlainText text={text.slice(end)} max={500} />
    </>
  )
}
