import { ToolError } from "@haft/contract"

/** The times between which a file must have changed; undefined for no filter. */
export interface DateFilter {
  readonly isSet: boolean
  matches(mtimeMs: number): boolean
}

/** Reads the two ends; the first is included, the last is not. A date without a time is its midnight, UTC. */
export function dateFilter(input: {
  modified_after?: string | undefined
  modified_before?: string | undefined
}): DateFilter {
  const after = momentOf(input.modified_after) ?? Number.NEGATIVE_INFINITY
  const before = momentOf(input.modified_before) ?? Number.POSITIVE_INFINITY
  return {
    isSet: input.modified_after !== undefined || input.modified_before !== undefined,
    matches: (mtimeMs) => mtimeMs >= after && mtimeMs < before,
  }
}

const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

function momentOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [, year, month, day, time = "00:00", zone = "Z"] = isoPattern.exec(value.trim()) ?? []
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const moment = Number(day) > daysInMonth ? Number.NaN : Date.parse(`${year}-${month}-${day}T${time}${zone}`)
  if (!Number.isNaN(moment)) return moment
  throw new ToolError(
    "invalid_args",
    `Cannot use the date "${value.slice(0, 100)}": it is no ISO 8601 date; write for instance 2024-05-31 or 2024-05-31T12:00:00Z`,
  )
}
