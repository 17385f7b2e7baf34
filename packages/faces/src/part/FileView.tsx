import { bestEffort } from "@haft/contract"
import { useEffect, useState } from "react"
import { type BoundedLine, boundedLines } from "../text/bounded.js"
import { highlight, type Token } from "../text/highlight.js"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"
import { ScrollRegion } from "./ScrollRegion.js"

interface FileViewProps {
  readonly text: string
  /** Decides the colours, and names the part. */
  readonly path: string
  /** Number of the first line. */
  readonly startLine?: number
  readonly maxLines?: number
}

/** Lines of a file with their numbers, in the colours of its language once these have loaded. */
export function FileView({ text, path, startLine = 1, maxLines = 40 }: FileViewProps) {
  const say = useSay()
  const [shown, setShown] = useState(maxLines)
  const { lines, linesLeftOut } = boundedLines(text, { maxLines: shown })
  const tokens = useTokens(lines.map((line) => line.text).join("\n"), path)
  if (lines.length === 0) return <p className="haft-dim">{say("empty")}</p>
  return (
    <div className="haft-file">
      <ScrollRegion label={path}>
        <table className="haft-code">
          <tbody>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place.
              <tr key={index}>
                <td className="haft-gutter" data-line={startLine + index} />
                <td>
                  <CodeLine line={line} tokens={tokens?.[index]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {linesLeftOut > 0 && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + 1000)}>
          {say("moreLines", { n: linesLeftOut })}
        </button>
      )}
    </div>
  )
}

interface CodeLineProps {
  readonly line: BoundedLine
  readonly tokens?: readonly Token[] | undefined
}

/** One line of code. The colours never change what it says. */
export function CodeLine({ line, tokens }: CodeLineProps) {
  const say = useSay()
  const isWhole = tokens !== undefined && tokens.map((token) => token.text).join("") === line.text
  return (
    <code>
      {isWhole ? (
        tokens.map((token, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other name than its place.
          <span key={index} className={token.kind && `haft-token-${token.kind}`}>
            <PlainText text={token.text} />
          </span>
        ))
      ) : (
        <PlainText text={line.text} />
      )}
      {line.charactersLeftOut > 0 && (
        <span className="haft-left-out"> … {say("moreCharacters", { n: line.charactersLeftOut })}</span>
      )}
      {line.text === "" && "\n"}
    </code>
  )
}

/** The colours of a text, once they are there; none while the text still changes often. */
function useTokens(text: string, path: string): readonly (readonly Token[])[] | undefined {
  const [found, setFound] = useState<{ text: string; tokens: readonly (readonly Token[])[] | undefined }>()
  useEffect(() => {
    let isWanted = true
    const timer = setTimeout(async () => {
      const tokens = await bestEffort("a text without colours says the same", highlight(text, path))
      if (isWanted) setFound({ text, tokens })
    }, 60)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text, path])
  // Colours of an earlier text still fit the lines that did not change: each line is compared before it is coloured.
  return found?.tokens
}
