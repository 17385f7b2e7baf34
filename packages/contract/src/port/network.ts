/** One request over HTTP, with its bounds. */
export interface HttpRequest {
  /** Absolute, http or https. */
  readonly url: string
  /** GET by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole request, redirects and body included. */
  readonly timeoutMs: number
  /** For each connection; 10 seconds by default. */
  readonly connectTimeoutMs?: number
  /** The most bytes of the body, after decompression. */
  readonly maxBytes: number
  /** What happens past `maxBytes`: `fail` is `too_large` (default), `cut` gives the beginning. */
  readonly past?: "fail" | "cut"
  /** 10 by default; 0 gives a redirect back as it is. */
  readonly maxRedirects?: number
  /** `http:` or `socks5:` URL of a proxy that the caller named for this one request; it is a destination and judged as one. */
  readonly proxy?: string
}

/** What came back. */
export interface HttpResponse {
  /** Where the answer came from, after redirects; without user name, password and fragment. */
  readonly url: string
  readonly status: number
  readonly statusText: string
  /** Names in lower case; repeated headers joined by comma and space. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. */
  readonly body: Uint8Array
  /** True when the body went on past `maxBytes`. */
  readonly cut: boolean
  /** The addresses that redirected, in order. */
  readonly redirects: readonly string[]
}

/**
 * Requests inside the grant of one call. Every hop is judged by name and by resolved address before anything is sent;
 * what was judged is what is dialled. A status other than 2xx is an answer, not a failure.
 */
export interface Network {
  fetch(request: HttpRequest): Promise<HttpResponse>
  /** The same with a body that is read as it comes, for instance a stream of events. Redirects are given back as they are. */
  open(request: StreamRequest): Promise<HttpStream>
}

/** A request whose answer may take as long as its sender likes. */
export interface StreamRequest extends Pick<HttpRequest, "url" | "method" | "headers" | "body" | "connectTimeoutMs"> {
  /** Ends the request and its answer. It need not end with the call. */
  readonly signal: AbortSignal
}

/** The beginning of an answer, and the rest as it comes. */
export interface HttpStream extends Pick<HttpResponse, "url" | "status" | "statusText" | "headers"> {
  /** Decompressed. A reader that stops ends the connection. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Whether a host may be reached, decided by guard; when not, the reason and the next step for the message. */
export type HostVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly fix?: string }
