import type { ReactNode } from "react"
import { labelText } from "../text/visible.js"

/** A part that scrolls by itself, also by keyboard. A group and no landmark: a page has many of them. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it holds no fields, so it is no fieldset.
    <div className="haft-region" role="group" aria-label={labelText(label)} tabIndex={0}>
      {children}
    </div>
  )
}
