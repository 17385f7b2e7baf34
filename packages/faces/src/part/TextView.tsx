import { useState } from "react"
import { boundedLines } from "../text/bounded.js"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"
import { ScrollRegion } from "./ScrollRegion.js"

const step = 200

interface TextViewProps {
  readonly text: string
  /** How many lines are drawn at first. */
  readonly maxLines?: number
  readonly label?: string
}

/** Text in lines of equal width, drawn piece by piece. */
export function TextView({ text, maxLines = 40, label }: TextViewProps) {
  const say = useSay()
  const [shown, setShown] = useState(maxLines)
  const { lines, linesLeftOut } = boundedLines(text, { maxLines: shown })
  if (lines.length === 0) return <p className="haft-dim">{say("empty")}</p>
  return (
    <div className="haft-text">
      <ScrollRegion label={label ?? say("output")}>
        <pre>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place.
            <span key={index} className="haft-line">
              <PlainText text={line.text} />
              {line.charactersLeftOut > 0 && (
                <span className="haft-left-out"> … {say("moreCharacters", { n: line.charactersLeftOut })}</span>
              )}
              {"\n"}
            </span>
          ))}
        </pre>
      </ScrollRegion>
      {linesLeftOut > 0 && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + step * 5)}>
          {say("moreLines", { n: linesLeftOut })}
        </button>
      )}
    </div>
  )
}
