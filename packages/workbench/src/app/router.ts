import { type MouseEvent, useMemo, useSyncExternalStore } from "react"

/** Where the person is: all of it is in the address, so that every view can be linked. */
export interface Place {
  /** The parts of the path: `/sessions/7f3` is `["sessions", "7f3"]`. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** Where the person is now. */
export function usePlace(): Place {
  const address = useSyncExternalStore(watch, () => location.pathname + location.search)
  return useMemo(() => readAddress(address), [address])
}

/** Goes to an address of this page. */
export function go(address: string, options: { readonly replace?: boolean } = {}): void {
  if (address === location.pathname + location.search) return
  if (options.replace) history.replaceState(null, "", address)
  else history.pushState(null, "", address)
  dispatchEvent(new Event(moved))
}

/** The address of a path and a query; what is undefined or empty is left out. */
export function addressOf(
  path: readonly string[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(key, String(value))
  }
  const text = search.toString()
  return `/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`
}

/** Changes single values of the query of where the person is, without a new entry in the history. */
export function setQuery(changes: Readonly<Record<string, string | number | undefined>>): void {
  const { path, query } = readAddress(location.pathname + location.search)
  go(addressOf(path, { ...query, ...changes }), { replace: true })
}

/** The attributes of a link within the page; a click with a modifier opens a tab as usual. */
export function linkTo(address: string): { href: string; onClick: (event: MouseEvent) => void } {
  return {
    href: address,
    onClick: (event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      go(address)
    },
  }
}

const moved = "haft-moved"

function watch(changed: () => void): () => void {
  addEventListener("popstate", changed)
  addEventListener(moved, changed)
  return () => {
    removeEventListener("popstate", changed)
    removeEventListener(moved, changed)
  }
}

function readAddress(address: string): Place {
  const { pathname, searchParams } = new URL(address, location.origin)
  return {
    path: pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decoded),
    query: Object.fromEntries(searchParams),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A broken escape is shown as it was typed.
    return part
  }
}
