import { type ReactNode, useState } from "react"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"

interface DataTableProps {
  readonly label: string
  readonly head: readonly string[]
  /** Texts from calls, or elements. */
  readonly rows: readonly (readonly ReactNode[])[]
  readonly maxRows?: number
}

/** Rows to compare, piece by piece. */
export function DataTable({ label, head, rows, maxRows = 50 }: DataTableProps) {
  const say = useSay()
  const [shown, setShown] = useState(maxRows)
  return (
    <div className="haft-scroll">
      <table className="haft-table" aria-label={label}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place.
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other name than its place.
                <td key={column}>{typeof cell === "string" ? <PlainText text={cell} max={500} /> : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <button type="button" className="haft-link" onClick={() => setShown(shown + 500)}>
          {say("moreEntries", { n: rows.length - shown })}
        </button>
      )}
    </div>
  )
}
