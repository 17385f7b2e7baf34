import type { HttpRequest, HttpResponse, SelectHtmlOptions } from "@haft/contract"
import type { RawResult } from "./found-result.js"
import type { ProviderId } from "./provider-id.js"

/** A place that searches the web: how it is asked and how its answer is read. */
export interface Provider {
  readonly id: ProviderId
  /** How people call it. */
  readonly label: string
  /** Where and how to ask; time, size and proxy are the caller's concern. */
  request(search: Search, access: ProviderAccess): ProviderRequest
  /** The results of an answer with status 2xx, best first; throws where the answer is none, with the reason as message. */
  read(answer: HttpResponse, reading: Reading): Promise<readonly RawResult[]>
}

/** What to search for, and within which bounds. */
export interface Search {
  readonly text: string
  /** How many results are wanted; a provider may give fewer or more. */
  readonly count: number
  /** From the request to the results. */
  readonly timeoutMs: number
  readonly proxy?: string | undefined
}

/** Where a provider is asked, and with which key. */
export interface ProviderAccess {
  /** Base URL: the configured one, else the usual one. */
  readonly base: string
  readonly key?: string
}

/** The part of a request that a provider decides. */
export type ProviderRequest = Pick<HttpRequest, "url" | "method" | "headers" | "body" | "maxRedirects">

/** What reading an answer may need. */
export interface Reading {
  readonly access: ProviderAccess
  /** Elements of a page, found apart from this thread and within the time of the search. */
  select(html: string, options: PageSelection): Promise<readonly Readonly<Record<string, string>>[]>
}

/** Which elements of a page. */
export type PageSelection = Pick<SelectHtmlOptions, "row" | "fields" | "maxRows">
