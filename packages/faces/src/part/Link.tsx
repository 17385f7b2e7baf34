import { type ReactNode, useState } from "react"
import { labelText, visibleText } from "../text/visible.js"
import { useSay } from "../words/say.js"

/** The address in the form that is really asked for, host names in ASCII; undefined for what a page must not open. */
function openable(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return ["http:", "https:", "mailto:"].includes(protocol) ? href : undefined
}

/** A link out of the page: a first click shows the whole address, a second one opens it. */
export function Link({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const href = openable(address)
  if (href === undefined) return <span title={labelText(address)}>{children}</span>
  return (
    <>
      <button
        type="button"
        className="haft-link"
        aria-expanded={open}
        title={labelText(href)}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <span className="haft-address">
          {say("leavesPage")}: <code>{visibleText(href)}</code>{" "}
          <a href={href} target="_blank" rel="noopener noreferrer" className="haft-link">
            {say("openAddress")}
          </a>
        </span>
      )}
    </>
  )
}
