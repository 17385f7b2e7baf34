import { useState } from "react"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"

const maxEntries = 100
// Deeper data opens by hand; data without an end (a getter, a proxy) never gets this far, because it comes from JSON.
const openDepth = 2

/** Any data as a tree: what is large opens piece by piece. */
export function JsonTree({
  value,
  name,
  depth = 0,
}: {
  readonly value: unknown
  readonly name?: string
  readonly depth?: number
}) {
  const say = useSay()
  const entries = entriesOf(value)
  const label = name !== undefined && (
    <span className="haft-json-key">
      <PlainText text={name} max={200} />
    </span>
  )
  if (entries === undefined) {
    return (
      <div className="haft-json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    )
  }
  const count = say(Array.isArray(value) ? "arrayOf" : "objectOf", { n: entries.length })
  if (entries.length === 0) {
    return (
      <div className="haft-json-leaf">
        {label}
        <span className="haft-dim">{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    )
  }
  return <Branch label={label} count={count} entries={entries} depth={depth} />
}

interface BranchProps {
  readonly label: React.ReactNode
  readonly count: string
  readonly entries: readonly (readonly [string, unknown])[]
  readonly depth: number
}

function Branch({ label, count, entries, depth }: BranchProps) {
  const say = useSay()
  const [open, setOpen] = useState(depth < openDepth)
  const [shown, setShown] = useState(maxEntries)
  return (
    <details className="haft-json" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className="haft-dim">{count}</span>
      </summary>
      {open && (
        <div className="haft-json-entries">
          {entries.slice(0, shown).map(([key, entry]) => (
            <JsonTree key={key} name={key} value={entry} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" className="haft-link" onClick={() => setShown(shown + maxEntries * 10)}>
              {say("moreEntries", { n: entries.length - shown })}
            </button>
          )}
        </div>
      )}
    </details>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === "string") {
    return (
      <span className="haft-json-string">
        <PlainText text={value} />
      </span>
    )
  }
  return <span className="haft-json-value">{value === undefined ? "undefined" : String(value)}</span>
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return value !== null && typeof value === "object" ? Object.entries(value) : undefined
}
