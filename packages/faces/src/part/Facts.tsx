import type { ReactNode } from "react"
import { PlainText } from "./PlainText.js"

/** Names with their values; those without a value are left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode | undefined>> }) {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "" && value !== false)
  if (known.length === 0) return null
  return (
    <dl className="haft-facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <PlainText text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}
