/** What was decided about one destination that a command tried to reach. */
export interface Decision {
  readonly host: string
  readonly port: number
  readonly allowed: boolean
  readonly reason: string
  /** What the user can do about a refusal. */
  readonly fix?: string
}

/** Called for every decision of the proxy. */
export type OnDecision = (decision: Decision) => void
