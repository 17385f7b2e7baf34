import type { ReactNode, Ref, UIEvent } from "react"

/** A place that scrolls by itself; keys reach it too. */
export function ScrollRegion(props: {
  label: string
  className: string | undefined
  ref?: Ref<HTMLElement>
  role?: "log"
  onScroll?: (event: UIEvent) => void
  children: ReactNode
}) {
  const { label, children, ...rest } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys could not scroll it.
    <section tabIndex={0} aria-label={label} {...rest}>
      {children}
    </section>
  )
}
