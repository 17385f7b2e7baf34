import type { Client, Dispatcher } from "undici"

/** The two parts of undici that are used. */
export interface HttpParts {
  readonly Client: typeof Client
  /** Sends a request over a client. */
  readonly request: (this: Client, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
}

/**
 * Loads them at the first request. Not `undici` as a whole: that takes three times as long and puts itself behind Node's
 * own `fetch`.
 */
export async function loadClient(): Promise<HttpParts> {
  const [client, request] = await Promise.all([
    // @ts-expect-error the file has no types of its own
    import("undici/lib/dispatcher/client.js"),
    // @ts-expect-error nor has this one
    import("undici/lib/api/api-request.js"),
  ])
  return { Client: client.default, request: request.default }
}
