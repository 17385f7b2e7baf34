import type { HeaderMap } from "./request-headers.js"

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
