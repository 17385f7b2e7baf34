import { useEffect, useRef } from "react"

/** What a key or a sequence of two keys does, anywhere outside of a field. */
export type KeyAction = "palette" | "help" | "search" | "inbox" | "next" | "previous" | "open" | "run" | `go ${string}`

/** The keys as they are until the person says otherwise. `mod` is Ctrl, or Cmd on a Mac. */
const defaultKeys: Readonly<Record<string, KeyAction>> = {
  "mod+k": "palette",
  "mod+Enter": "run",
  "?": "help",
  "/": "search",
  i: "inbox",
  j: "next",
  k: "previous",
  o: "open",
  "g r": "go run",
  "g c": "go chat",
  "g s": "go sessions",
  "g p": "go permissions",
  "g v": "go servers",
  "g k": "go skills",
  "g b": "go sandbox",
  "g a": "go gallery",
  "g e": "go settings",
}

const stored = "haft.keys"
const sequenceMs = 1000

/** The keys that hold: the defaults with the person's changes; an empty action takes a key away. */
export function keymap(): Readonly<Record<string, KeyAction>> {
  const merged = { ...defaultKeys, ...readKeys(localStorage.getItem(stored) ?? "{}") }
  return Object.fromEntries(Object.entries(merged).filter(([, action]) => (action as string) !== ""))
}

/** The person's own keys as they wrote them. */
export function ownKeys(): string {
  return localStorage.getItem(stored) ?? "{}"
}

/** Keeps the person's own keys; false when the text is no object of strings. */
export function keepKeys(text: string): boolean {
  const keys = readKeys(text)
  if (keys) localStorage.setItem(stored, text)
  return keys !== undefined
}

function readKeys(text: string): Record<string, KeyAction> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isMap =
      typeof value === "object" && value !== null && Object.values(value).every((action) => typeof action === "string")
    return isMap ? (value as Record<string, KeyAction>) : undefined
  } catch {
    // Not JSON: the caller says so.
    return undefined
  }
}

/** Calls back for the actions that the person's keys mean, while the component is on the page. */
export function useKeys(handlers: Readonly<Partial<Record<KeyAction, () => void>>>): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      const name = keyName(event)
      const pair = first && event.timeStamp - first.at < sequenceMs ? `${first.key} ${name}` : undefined
      first = isTyping(event) ? undefined : { key: name, at: event.timeStamp }
      if (isTyping(event) && !name.startsWith("mod+")) return
      const keys = keymap()
      const action = (pair !== undefined && keys[pair]) || keys[name]
      const handler = action && latest.current[action]
      if (!handler) return
      event.preventDefault()
      handler()
    }
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
}

function keyName(event: KeyboardEvent): string {
  const isMod = event.metaKey || event.ctrlKey
  if (event.altKey) return `alt+${event.key}`
  return isMod ? `mod+${event.key}` : event.key
}

/** True where letters are text. */
export function isTyping(event: Event): boolean {
  const target = event.target as Element | null
  return target?.closest("input, textarea, select, [contenteditable=true], [role=combobox]") != null
}
