import { api } from "../api/client.js"
import { RequestError } from "../api/request.js"

const stored = "haft.session"
let opening: Promise<string> | undefined

/** The session in which this browser runs tools: all its tabs have the same, and a new one is made when it is gone. */
export function ownSession(): Promise<string> {
  opening ??= find().catch((error) => {
    opening = undefined
    throw error
  })
  return opening
}

/** Begins a new session for this browser. */
export function forgetOwnSession(): void {
  opening = undefined
  localStorage.removeItem(stored)
}

async function find(): Promise<string> {
  // One tab makes it; the others wait and take it.
  return navigator.locks.request("haft.own-session", async () => {
    const kept = localStorage.getItem(stored)
    if (kept !== null && (await isUsable(kept))) return kept
    const { id } = await api.openSession()
    localStorage.setItem(stored, id)
    return id
  })
}

async function isUsable(id: string): Promise<boolean> {
  try {
    const { state, archivedAt } = await api.session(id)
    return archivedAt === null && (state === "open" || state === "closed")
  } catch (error) {
    if (error instanceof RequestError && error.status !== 0) return false
    throw error
  }
}
