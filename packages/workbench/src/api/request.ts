import { visibleText } from "@haft/faces"
import { dropToken, token } from "./token.js"

/** What the server said no to, or that it did not answer. */
export class RequestError extends Error {
  constructor(
    /** 0 when there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** One request to the server with the token. Throws `RequestError`, or what the signal was aborted with. */
export async function request<Result>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Result> {
  const response = await send(method, path, options)
  return (await response.json()) as Result
}

/** The same for an answer that is read in pieces. */
export async function send(
  method: string,
  path: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token()}` }
  if (body !== undefined) headers["Content-Type"] = "application/json"
  const response = await fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    credentials: "omit",
    cache: "no-store",
  }).catch((error: Error) => {
    if (signal?.aborted) throw error
    throw new RequestError(0, "unavailable", error.message)
  })
  if (response.ok) return response
  if (response.status === 401) signalUnauthorized()
  throw await refusal(response)
}

/** Called when the server does not accept the token. */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const listeners = new Set<() => void>()

function signalUnauthorized(): void {
  dropToken()
  for (const listener of listeners) listener()
}

async function refusal(response: Response): Promise<RequestError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string; hint?: string }
  }
  const { code = "internal", message = response.statusText, hint } = body.error ?? {}
  return new RequestError(response.status, code, visibleText(message), hint && visibleText(hint))
}
