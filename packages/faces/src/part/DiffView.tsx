import type { Hunk } from "@haft/contract"
import { useId, useState } from "react"
import { boundedLine } from "../text/bounded.js"
import { type DiffLine, diffTotals, hunkLines, type LineMark, splitRows } from "../text/hunks.js"
import { useSay } from "../words/say.js"
import { CodeLine } from "./FileView.js"
import { ScrollRegion } from "./ScrollRegion.js"
import { Switch } from "./Switch.js"

interface DiffViewProps {
  readonly path: string
  readonly hunks: readonly Hunk[]
  /** Places of hunks that a person left out; with `onLeaveOut` each hunk can be taken or left. */
  readonly leftOut?: ReadonlySet<number>
  readonly onLeaveOut?: (places: ReadonlySet<number>) => void
}

const maxLines = 400

/** Changed lines of one file, in one column or side by side. */
export function DiffView({ path, hunks, leftOut = new Set(), onLeaveOut }: DiffViewProps) {
  const say = useSay()
  const [view, setView] = useState<"unified" | "split">("unified")
  const [shown, setShown] = useState(maxLines)
  const { visible, hidden } = firstLines(hunks, shown)
  const Lines = view === "split" ? SplitLines : UnifiedLines
  return (
    <div className="haft-diff" data-view={view}>
      <div className="haft-diff-bar">
        <DiffTotals hunks={hunks} />
        {onLeaveOut && hunks.length > 1 && (
          <span className="haft-dim">
            {say("hunksTaken", { taken: hunks.length - leftOut.size, all: hunks.length })}
          </span>
        )}
        <Switch
          label={say("diffView")}
          value={view}
          onChange={setView}
          options={{ unified: say("unified"), split: say("split") }}
        />
      </div>
      <ScrollRegion label={path}>
        <table className="haft-code">
          {visible.map((hunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a hunk has no other name than its place.
            <tbody key={index} className="haft-hunk" data-left-out={leftOut.has(index) || undefined}>
              {(onLeaveOut || index > 0) && (
                <tr className="haft-hunk-head">
                  <td colSpan={4}>
                    {onLeaveOut && hunks.length > 1 ? (
                      <HunkChoice
                        number={index + 1}
                        taken={!leftOut.has(index)}
                        onChange={(taken) => onLeaveOut(changed(leftOut, index, !taken))}
                      />
                    ) : (
                      <span aria-hidden>⋯</span>
                    )}
                  </td>
                </tr>
              )}
              <Lines lines={hunkLines(hunk)} />
            </tbody>
          ))}
        </table>
      </ScrollRegion>
      {hidden > 0 && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + maxLines * 5)}>
          {say("moreLines", { n: hidden })}
        </button>
      )}
    </div>
  )
}

/** `+3 −1`, with the words for who does not see it. */
export function DiffTotals({ hunks }: { readonly hunks: readonly Hunk[] }) {
  const say = useSay()
  const { added, removed } = diffTotals(hunks)
  return (
    <span className="haft-totals haft-number" role="img" aria-label={say("diffTotals", { added, removed })}>
      <span data-mark="added">+{added}</span> <span data-mark="removed">−{removed}</span>
    </span>
  )
}

interface HunkChoiceProps {
  readonly number: number
  readonly taken: boolean
  readonly onChange: (taken: boolean) => void
}

function HunkChoice({ number, taken, onChange }: HunkChoiceProps) {
  const say = useSay()
  const id = useId()
  return (
    <label htmlFor={id} className="haft-choice">
      <input id={id} type="checkbox" checked={taken} onChange={(event) => onChange(event.target.checked)} />
      {say("acceptHunk", { n: number })}
    </label>
  )
}

function changed(places: ReadonlySet<number>, place: number, isIn: boolean): ReadonlySet<number> {
  const others = [...places].filter((each) => each !== place)
  return new Set(isIn ? [...others, place] : others)
}

function firstLines(
  hunks: readonly Hunk[],
  limit: number,
): { readonly visible: readonly Hunk[]; readonly hidden: number } {
  let left = limit
  const visible: Hunk[] = []
  for (const hunk of hunks) {
    if (left > 0) visible.push({ ...hunk, lines: hunk.lines.slice(0, left) })
    left -= hunk.lines.length
  }
  return { visible, hidden: Math.max(0, -left) }
}

const signs: Readonly<Record<LineMark, string>> = { added: "+", removed: "−", unchanged: "" }

function UnifiedLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place.
    <tr key={index} data-mark={line.mark}>
      <td className="haft-gutter" data-line={line.oldLine} />
      <td className="haft-gutter" data-line={line.newLine} />
      <Sign mark={line.mark} />
      <td>
        <CodeLine line={boundedLine(line.text)} />
      </td>
    </tr>
  ))
}

function SplitLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return splitRows(lines).map(([old, now], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place.
    <tr key={index}>
      <Side line={old} number={old?.oldLine} />
      <Side line={now} number={now?.newLine} />
    </tr>
  ))
}

function Side({ line, number }: { readonly line: DiffLine | undefined; readonly number: number | undefined }) {
  const say = useSay()
  return (
    <>
      <td className="haft-gutter" data-line={number} />
      <td className="haft-side" data-mark={line?.mark}>
        {line && line.mark !== "unchanged" && <span className="haft-unseen">{say(line.mark)}: </span>}
        {line && <CodeLine line={boundedLine(line.text)} />}
      </td>
    </>
  )
}

function Sign({ mark }: { readonly mark: LineMark }) {
  const say = useSay()
  return (
    <td className="haft-sign">
      <span aria-hidden>{signs[mark]}</span>
      {mark !== "unchanged" && <span className="haft-unseen">{say(mark)}</span>}
    </td>
  )
}
