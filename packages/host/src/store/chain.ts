import { hash } from "node:crypto"
import { canonicalJson } from "./canonical-json.js"

/** The place of a part in its session's chain. */
export interface ChainLink {
  /** Counts the chained parts of the session from 1. */
  readonly seq: number
  /** Hash of the part before; empty for the first. */
  readonly prev: string
  /** SHA-256 of `prev` followed by the canonical JSON of the record. */
  readonly hash: string
}

/** The end of a session's chain. */
export type ChainHead = Pick<ChainLink, "seq" | "hash">

/** The head of a chain that has no parts. */
export const emptyHead: ChainHead = { seq: 0, hash: "" }

/** Links a record, given as canonical JSON, to the head of its chain. */
export function linkTo(head: ChainHead, recordText: string): ChainLink {
  return { seq: head.seq + 1, prev: head.hash, hash: hashOf(head.hash, recordText) }
}

/** The hash that a record has behind `prev`. */
export function hashOf(prev: string, recordText: string): string {
  return hash("sha256", prev + recordText)
}

/** Puts a link into the text of its record; the result is what `data_json` keeps. */
export function withLink(recordText: string, link: ChainLink): string {
  return `${recordText.slice(0, -1)},"chain":{"seq":${link.seq},"prev":"${link.prev}","hash":"${link.hash}"}}`
}

/** Takes the text of `data_json` apart. The link is absent on a call that has not ended, and on damaged text. */
export function splitLink(data: string): {
  readonly record: Readonly<Record<string, unknown>>
  readonly link?: ChainLink
} {
  const { chain, ...record } = JSON.parse(data) as Record<string, unknown>
  return isLink(chain) ? { record, link: chain } : { record }
}

/** The canonical text of a record that was read back. */
export function recordText(record: Readonly<Record<string, unknown>>): string {
  return canonicalJson(record)
}

function isLink(value: unknown): value is ChainLink {
  if (typeof value !== "object" || value === null) return false
  const link = value as Partial<ChainLink>
  return Number.isSafeInteger(link.seq) && typeof link.prev === "string" && typeof link.hash === "string"
}
