import { ToolError } from "@haft/contract"

/** A place in bytes. */
interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** Leads from places in a decoded text back to the bytes that it came from. */
export interface CharacterMap {
  /** The bytes of the range. A range that holds an undecodable byte, or cuts a character, is an error. */
  spanOf(start: number, end: number): ByteSpan
  /** Where the bytes of the character at this place begin. */
  byteAt(place: number): number
  /** True when a character of the range replaces an undecodable byte. */
  hasUndecodable(start: number, end: number): boolean
}

/** The map of a text whose code units all have the same width; what remains at the end is one undecodable character. */
export function evenMap(content: string, width: number, from: number, byteCount: number): CharacterMap {
  const whole = Math.floor((byteCount - from) / width)
  const cuts = (at: number) => isHighSurrogate(content, at - 1) && isLowSurrogate(content, at)
  const hasUndecodable = (start: number, end: number) => end > whole && end > start
  return {
    byteAt: (place) => Math.min(from + place * width, byteCount),
    hasUndecodable,
    spanOf(start, end) {
      if (hasUndecodable(start, end)) throw undecodable()
      if (cuts(start) || cuts(end)) throw halfCharacter()
      return { start: from + start * width, end: from + end * width }
    },
  }
}

/** Collects how many bytes each character takes, in the order of the text. */
export interface WidthRecorder {
  /** A character of one or two code units. */
  add(unitCount: number, byteCount: number): void
  /** One byte that is no character and is shown as U+FFFD. */
  addUndecodable(): void
  /** The finished map; `from` is where the first character's bytes begin. */
  finish(from: number): CharacterMap
}

const undecodableWidth = 0x81
const unitsPerCheckpoint = 1_024

/** Starts to collect widths; `capacity` is the most code units that can come. */
export function recordWidths(capacity: number): WidthRecorder {
  const widths = new Uint8Array(capacity)
  let length = 0
  return {
    add(unitCount, byteCount) {
      widths[length] = byteCount
      // The other units of the same character keep the width 0: no span begins or ends there.
      length += unitCount
    },
    addUndecodable() {
      widths[length] = undecodableWidth
      length += 1
    },
    finish: (from) => mapOf(widths.subarray(0, length), from),
  }
}

function mapOf(widths: Uint8Array, from: number): CharacterMap {
  const checkpoints = new Float64Array(Math.floor(widths.length / unitsPerCheckpoint) + 1)
  let total = from
  for (let unit = 0; unit < widths.length; unit += 1) {
    if (unit % unitsPerCheckpoint === 0) checkpoints[unit / unitsPerCheckpoint] = total
    total += widths[unit]! & 0x7f
  }
  if (widths.length % unitsPerCheckpoint === 0) checkpoints[widths.length / unitsPerCheckpoint] = total
  const byteAt = (unit: number): number => {
    const checkpoint = Math.floor(unit / unitsPerCheckpoint)
    let at = checkpoints[checkpoint]!
    for (let before = checkpoint * unitsPerCheckpoint; before < unit; before += 1) at += widths[before]! & 0x7f
    return at
  }
  const hasUndecodable = (start: number, end: number) => widths.subarray(start, end).includes(undecodableWidth)
  return {
    byteAt,
    hasUndecodable,
    spanOf(start, end) {
      if (hasUndecodable(start, end)) throw undecodable()
      if (widths[start] === 0 || widths[end] === 0) throw halfCharacter()
      return { start: byteAt(start), end: byteAt(end) }
    },
  }
}

function undecodable(): ToolError {
  return new ToolError("unsupported", "Cannot replace the text: it holds bytes that are no characters", {
    hint: "Leave the characters shown as U+FFFD out of the text to replace",
  })
}

function halfCharacter(): ToolError {
  return new ToolError("unsupported", "Cannot replace the text: it begins or ends inside a character", {
    hint: "Send whole characters",
  })
}

function isHighSurrogate(content: string, at: number): boolean {
  return (content.charCodeAt(at) & 0xfc00) === 0xd800
}

function isLowSurrogate(content: string, at: number): boolean {
  return (content.charCodeAt(at) & 0xfc00) === 0xdc00
}
