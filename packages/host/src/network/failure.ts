import type { ErrorCode, Hint } from "@haft/contract"
import type { HeaderMap } from "./request.js"

/** Why a request failed, before anyone put the address in front. A class so that it is distinguished from errors of Node. */
export class FetchFailure extends Error {
  readonly code: ErrorCode
  readonly hint: Hint | undefined
  /** What the user can do about it. */
  readonly fix: string | undefined

  constructor(code: ErrorCode, reason: string, hint?: Hint, fix?: string) {
    super(reason)
    this.name = "FetchFailure"
    this.code = code
    this.hint = hint
    this.fix = fix
  }
}

/** What is asked of one hop. */
export interface Step {
  readonly url: string
  readonly method: string
  readonly headers: HeaderMap
  readonly body?: string
}

/** The request that follows a redirect: method and body by its status, and across origins nothing that may be a secret. */
export function nextStep(step: Step, status: number, to: URL): Step {
  const becomesGet = status === 303 ? step.method !== "HEAD" : status <= 302 && step.method === "POST"
  const isSameOrigin = new URL(step.url).origin === to.origin
  const headers = new Map(
    [...step.headers].filter(
      ([name]) => (isSameOrigin || harmless.test(name)) && !(becomesGet && name.startsWith("content-")),
    ),
  )
  if (becomesGet) return { url: to.href, method: "GET", headers }
  const { method, body } = step
  return { url: to.href, method, headers, ...(body !== undefined && { body }) }
}

/** Whether a status asks to go elsewhere. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

/**
 * What another origin may see. A list of what is harmless, because credentials have too many names: Authorization, Cookie,
 * X-Api-Key, Private-Token and whatever a service thinks of next.
 */
const harmless =
  /^(accept|accept-(charset|encoding|language)|cache-control|content-(language|type)|dnt|if-.*|pragma|range|user-agent)$/

/** An address as messages may show it: without user name, password and fragment, and not endless. */
export function shownUrl(spelled: string | URL): string {
  const text = typeof spelled === "string" ? withoutSecrets(spelled) : withoutSecrets(spelled.href)
  const printable = text.replace(/[^\x20-\x7e\u00a1-\uffff]/g, "?")
  return printable.length > 300 ? `${printable.slice(0, 300)}...` : printable
}

function withoutSecrets(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Where nobody knows what the parts are, everything before the last @ may be a password.
  if (!url?.host) return text.replace(/^.*@/s, "")
  url.username = ""
  url.password = ""
  url.hash = ""
  return url.href
}
