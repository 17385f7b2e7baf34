import { useEffect, useRef, useState } from "react"
import { type AnsiLine, type AnsiStyle, parseAnsi } from "../text/ansi.js"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"

interface TerminalProps {
  readonly text: string
  /** The command line, shown in front of its output. */
  readonly command?: string
  /** The output goes on: new lines are announced, and the end stays in view. */
  readonly live?: boolean
  readonly maxLines?: number
}

/** Output of a program with its colours. Shows the end of a long one. */
export function Terminal({ text, command, live = false, maxLines = 60 }: TerminalProps) {
  const say = useSay()
  const [shown, setShown] = useState(maxLines)
  const { lines, linesLeftOut } = parseAnsi(text, { maxLines: shown, keep: "tail" })
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (live && element && text !== "") element.scrollTop = element.scrollHeight
  }, [live, text])
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have labels.
    <div className="haft-terminal" aria-label={say("output")} tabIndex={0} ref={end} role={live ? "log" : "group"}>
      {command !== undefined && command !== "" && (
        <div className="haft-command">
          <span aria-hidden className="haft-prompt">
            $
          </span>
          <code>
            <PlainText text={command} max={8000} />
          </code>
        </div>
      )}
      {linesLeftOut > 0 && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + 1000)}>
          {say("earlierLines", { n: linesLeftOut })}
        </button>
      )}
      <pre>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place.
          <TerminalLine key={index} line={line} />
        ))}
      </pre>
      {lines.length === 0 && !live && <p className="haft-dim">{say("noOutput")}</p>}
    </div>
  )
}

function TerminalLine({ line }: { readonly line: AnsiLine }) {
  const say = useSay()
  return (
    <span className="haft-line">
      {line.runs.map(({ text, style }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a run has no other name than its place.
        <span key={index} className={classesOf(style)}>
          <PlainText text={text} />
        </span>
      ))}
      {line.charactersLeftOut > 0 && (
        <span className="haft-left-out"> … {say("moreCharacters", { n: line.charactersLeftOut })}</span>
      )}
      {"\n"}
    </span>
  )
}

function classesOf(style: AnsiStyle): string | undefined {
  const { color, background, ...flags } = style
  const names = Object.keys(flags).map((flag) => `haft-ansi-${flag}`)
  if (color !== undefined) names.push(`haft-ansi-color-${color % 8}`, ...(color > 7 ? ["haft-ansi-bold"] : []))
  if (background !== undefined) names.push(`haft-ansi-background-${background % 8}`)
  return names.length === 0 ? undefined : names.join(" ")
}
