import { PlainText } from "@haft/faces"
import { CopyButton } from "./copy-button.js"
import classes from "./json-block.module.css"
import { ScrollRegion } from "./scroll-region.js"

// A page with megabytes of text in one element stops; the whole can be copied.
const maxShown = 100_000

/** A value as indented JSON, as text and nothing else. */
export function JsonBlock({ value, label = "JSON" }: { value: unknown; label?: string }) {
  return <TextBlock label={label} text={JSON.stringify(value, undefined, 2) ?? ""} />
}

/** A text as it is, in the width of its letters. */
export function TextBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.block}>
      <CopyButton text={text} />
      <ScrollRegion label={label} className={classes.text}>
        <PlainText text={text.length > maxShown ? `${text.slice(0, maxShown)}…` : text} />
      </ScrollRegion>
    </div>
  )
}
