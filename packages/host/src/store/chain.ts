import { hash } from "node:crypto"

/** The place of a part in its session's chain. */
export interface ChainLink {
  /** Counts the chained parts of the session from 1. */
  readonly seq: number
  /** Hash of the part before; empty for the first. */
  readonly prev: string
  /** SHA-256 of `prev` followed by the text of the record, exactly as it is stored before its link. */
  readonly hash: string
}

/** The end of a session's chain. */
export type ChainHead = Pick<ChainLink, "seq" | "hash">

/** The head of a chain that has no parts. */
export const emptyHead: ChainHead = { seq: 0, hash: "" }

/** Links a record, given as its text, to the head of its chain. */
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
export function splitLink(data: string): { readonly text: string; readonly link?: ChainLink } {
  const at = data.lastIndexOf(',"chain":{')
  const found = at < 0 ? undefined : linkText.exec(data.slice(at))?.groups
  if (!found) return { text: data }
  return { text: `${data.slice(0, at)}}`, link: { seq: Number(found.seq), prev: found.prev!, hash: found.hash! } }
}

const linkText =
  /^,"chain":\{"seq":(?<seq>\d{1,15}),"prev":"(?<prev>[0-9a-f]{0,64})","hash":"(?<hash>[0-9a-f]{64})"\}\}$/
