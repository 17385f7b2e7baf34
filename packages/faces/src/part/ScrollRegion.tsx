import type { ReactNode } from "react"
import { labelText } from "../text/visible.js"

/** A part that scrolls by itself, also by keyboard. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="haft-region" aria-label={labelText(label)} tabIndex={0}>
      {children}
    </section>
  )
}
