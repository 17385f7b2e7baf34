import type { InspectorProps, InterventionProps } from "@haft/contract"
import {
  ArgumentsEditor,
  Button,
  Chip,
  Facts,
  InspectorLine,
  knownArgs,
  Note,
  type ResultProps,
  Sentence,
  TextView,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { useState } from "react"
import { words } from "./words.js"

/** How long the text is; never the text itself. */
export function ClipboardInspector(props: InspectorProps) {
  const say = useSay()
  const text = textAt(props.pluginState, "text") ?? textAt(knownArgs(props), "text")
  return (
    <InspectorLine props={props}>
      {text !== undefined && <Chip>{say("characters", { n: text.length })}</Chip>}
    </InspectorLine>
  )
}

/** The whole text that would be written, with a warning where it looks like a secret. */
export function ClipboardIntervention({ args, onArgsChange }: InterventionProps) {
  const own = useWords(words)
  const text = textAt(args, "text")
  return (
    <>
      {text !== undefined && (
        <section>
          {looksSecret(text) && <Note tone="bad">{own("looksSecret")}</Note>}
          <TextView text={text} label={own("willWrite")} maxLines={400} />
        </section>
      )}
      <ArgumentsEditor args={args} onChange={onArgsChange} except={["text"]} />
    </>
  )
}

export function ClipboardResult({ args, data }: ResultProps) {
  const own = useWords(words)
  const [shown, setShown] = useState(false)
  const text = textAt(data, "text") ?? textAt(args, "text") ?? ""
  const source = textAt(data, "source")
  return (
    <>
      <Facts
        facts={{
          [own("where")]: source === "session" || source === "system" ? own(source) : undefined,
        }}
      />
      {textAt(data, "reason") !== undefined && (
        <Note>
          <Sentence text={textAt(data, "reason")!} />
        </Note>
      )}
      {!shown && <Note>{own("masked", { n: text.length })}</Note>}
      {shown && <TextView text={text} />}
      <Button onClick={() => setShown(!shown)}>{own(shown ? "hide" : "reveal")}</Button>
    </>
  )
}

// What keys and passwords commonly look like; the warning is a help for the eye, no filter.
function looksSecret(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:sk|ghp|gho|xox[bp]|AKIA)[-_A-Za-z0-9]{12,}|(?:password|passwd|secret|token|api[_-]?key)\s*[:=]\s*\S{6,}/i.test(
    text.slice(0, 100_000),
  )
}
