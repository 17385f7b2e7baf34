/** The named groups of tools, in the order in which they are offered. */
export const toolsetNames = ["locked", "code", "launcher", "system"] as const

/** The name of a group of tools. */
export type ToolsetName = (typeof toolsetNames)[number]
