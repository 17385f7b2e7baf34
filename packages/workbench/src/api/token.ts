const stored = "haft.token"
const channelName = "haft.token"
// Tabs in the background may be slow to answer; a later answer is taken too.
const answerMs = 500

let current: string | undefined
let refused: string | undefined
let shared: BroadcastChannel | undefined
const listeners = new Set<() => void>()

/** The token of this page: from the fragment, which is erased at once, from this tab's earlier visit, or from another tab. */
export async function findToken(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1)).get("token")
  if (given !== null) {
    keepToken(given)
    history.replaceState(null, "", location.pathname + location.search)
  }
  current = given ?? sessionStorage.getItem(stored) ?? (await askOtherTabs())
  if (current !== undefined) keepToken(current)
}

/** The token that requests are sent with. */
export function token(): string {
  return current ?? ""
}

/** Takes a token, or the address that the server printed. */
export function keepToken(text: string): void {
  current = /token=([^&\s]+)/.exec(text)?.[1] ?? text.trim()
  sessionStorage.setItem(stored, current)
  shared?.postMessage({ token: current })
}

/** Forgets a token that the server does not accept, and asks the other tabs: one of them may have been given the new one. */
export function dropToken(): void {
  refused = current ?? refused
  current = undefined
  sessionStorage.removeItem(stored)
  shared?.postMessage("wanted")
}

/**
 * Answers tabs of the same origin that were opened without a token, until the page is closed, and takes the new token that a
 * person gave another tab: a server that was started again does not know the old one.
 */
export function shareToken(): void {
  const channel = new BroadcastChannel(channelName)
  shared = channel
  channel.onmessage = ({ data }) => {
    if (data === "wanted" && current !== undefined) channel.postMessage({ token: current })
    // A token that still holds is not given up for one that somebody else has.
    if (typeof data?.token !== "string" || current !== undefined || data.token === refused) return
    current = data.token as string
    sessionStorage.setItem(stored, current)
    for (const listener of listeners) listener()
  }
}

/** Calls back when another tab gave this one its token. */
export function onSharedToken(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function askOtherTabs(): Promise<string | undefined> {
  const channel = new BroadcastChannel(channelName)
  const answer = new Promise<string | undefined>((resolve) => {
    channel.onmessage = ({ data }) => {
      if (typeof data?.token === "string") resolve(data.token)
    }
    channel.postMessage("wanted")
    setTimeout(() => resolve(undefined), answerMs)
  })
  return answer.finally(() => channel.close())
}
