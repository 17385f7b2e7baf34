import { bestEffort, type FaceArguments } from "@haft/contract"
import { useId, useState } from "react"
import { useSay } from "../words/say.js"
import { Button } from "./Button.js"
import { Facts } from "./Facts.js"
import { JsonTree } from "./JsonTree.js"
import { Note } from "./Note.js"
import { PlainText } from "./PlainText.js"

interface ArgumentsEditorProps {
  readonly args: FaceArguments
  /** Given the same object again when a person takes their changes back. */
  readonly onChange?: ((args: FaceArguments) => void | Promise<void>) | undefined
  /** Keys that a face draws in its own way, and that are left out here until they are changed. */
  readonly except?: readonly string[]
}

/** The arguments of a call; a person may change each of them by its kind. */
export function ArgumentsEditor({ args, onChange, except = [] }: ArgumentsEditorProps) {
  const say = useSay()
  const [draft, setDraft] = useState<FaceArguments>()
  const change = (next: FaceArguments | undefined) => {
    setDraft(next)
    void onChange?.(next ?? args)
  }
  const shown = Object.entries(draft ?? args).filter(([key]) => draft !== undefined || !except.includes(key))
  return (
    <div className="haft-arguments">
      {draft === undefined ? (
        <Facts facts={Object.fromEntries(shown.map(([key, value]) => [key, <Value key={key} value={value} />]))} />
      ) : (
        shown.map(([key, value]) => (
          <Field key={key} name={key} value={value} onChange={(next) => change({ ...draft, [key]: next })} />
        ))
      )}
      {Object.keys(args).length === 0 && <Note>{say("noArguments")}</Note>}
      {onChange && Object.keys(args).length > 0 && (
        <Button onClick={() => change(draft === undefined ? { ...args } : undefined)}>
          {say(draft === undefined ? "editArguments" : "keepArguments")}
        </Button>
      )}
    </div>
  )
}

function Value({ value }: { readonly value: unknown }) {
  if (typeof value === "string") {
    return (
      <code className="haft-value">
        <PlainText text={value} max={10_000} />
      </code>
    )
  }
  return <JsonTree value={value} />
}

interface FieldProps {
  readonly name: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function Field({ name, value, onChange }: FieldProps) {
  const id = useId()
  if (typeof value === "boolean") {
    return (
      <label htmlFor={id} className="haft-choice">
        <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
        {name}
      </label>
    )
  }
  return (
    <div className="haft-field">
      <label htmlFor={id}>{name}</label>
      {typeof value === "string" ? (
        <TextField id={id} value={value} onChange={onChange} />
      ) : (
        <JsonField id={id} value={value} onChange={onChange} />
      )}
    </div>
  )
}

interface TextFieldProps {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A text that is edited in as many lines as it has. */
export function TextField({ id, value, onChange }: TextFieldProps) {
  const rows = Math.min(16, Math.max(1, value.split("\n", 20).length, Math.ceil(Math.min(value.length, 1000) / 90)))
  return (
    <textarea id={id} rows={rows} value={value} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
  )
}

/** Anything else as JSON; what is none is said, and nothing changes until it is one. */
function JsonField({ id, value, onChange }: Pick<FieldProps, "value" | "onChange"> & { readonly id: string }) {
  const say = useSay()
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2) ?? "")
  const [problem, setProblem] = useState(false)
  const read = (next: string) => {
    setText(next)
    const parsed = bestEffort("said below the field", () => ({ value: JSON.parse(next) as unknown }))
    setProblem(parsed === undefined)
    if (parsed !== undefined) onChange(parsed.value)
  }
  return (
    <>
      <textarea
        id={id}
        rows={Math.min(12, text.split("\n").length)}
        value={text}
        spellCheck={false}
        aria-invalid={problem}
        onChange={(event) => read(event.target.value)}
      />
      {problem && <Note tone="bad">{say("notJson")}</Note>}
    </>
  )
}
