const stored = "haft.token"
const channelName = "haft.token"
const answerMs = 300

let current: string | undefined

/** The token of this page: from the fragment, which is erased at once, from this tab's earlier visit, or from another tab. */
export async function findToken(): Promise<string | undefined> {
  const given = new URLSearchParams(location.hash.slice(1)).get("token")
  if (given !== null) {
    keepToken(given)
    history.replaceState(null, "", location.pathname + location.search)
  }
  current = given ?? sessionStorage.getItem(stored) ?? (await askOtherTabs())
  if (current !== undefined) keepToken(current)
  return current
}

/** The token that requests are sent with. */
export function token(): string {
  return current ?? ""
}

/** Takes a token, or the address that the server printed. */
export function keepToken(text: string): void {
  current = /token=([^&\s]+)/.exec(text)?.[1] ?? text.trim()
  sessionStorage.setItem(stored, current)
}

/** Forgets a token that the server does not accept. */
export function dropToken(): void {
  current = undefined
  sessionStorage.removeItem(stored)
}

/** Answers tabs of the same origin that were opened without a token, until the page is closed. */
export function shareToken(): void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (data === "wanted" && current !== undefined) channel.postMessage({ token: current })
  }
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
