import { Fragment } from "react"
import { maxLineCharacters } from "../text/bounded.js"
import { codeName, visiblePieces } from "../text/visible.js"
import { useSay } from "../words/say.js"

/**
 * Text from a call. It is never markup; a character that hides, or turns the direction of text, is drawn as a sign with its
 * code; of a text that is too long to draw, the beginning is shown and the rest counted.
 */
export function PlainText({ text, max = maxLineCharacters }: { readonly text: string; readonly max?: number }) {
  const say = useSay()
  const shown = text.length > max ? text.slice(0, max) : text
  let at = 0
  return (
    <bdi>
      {visiblePieces(shown).map((piece) => {
        const key = at
        at += typeof piece === "string" ? piece.length : piece.hidden.length
        if (typeof piece === "string") return <Fragment key={key}>{piece}</Fragment>
        const code = codeName(piece.hidden)
        return (
          <span key={key} className="haft-hidden" title={say("hiddenCharacter", { code })}>
            {code}
          </span>
        )
      })}
      {shown.length < text.length && (
        <span className="haft-left-out"> … {say("moreCharacters", { n: text.length - shown.length })}</span>
      )}
    </bdi>
  )
}
