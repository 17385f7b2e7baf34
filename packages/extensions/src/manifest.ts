import { type JsonSchema, type RequirementSet, ToolError } from "@haft/contract"
import { type Issue, problemSentences, usableSchema } from "@haft/runtime"
import * as z from "zod"

// No underscore, so that `<extension>__<tool>` reads one way only.
const extensionId = /^(?!(?:mcp|builtin|skill|haft|extension)$)[a-z][a-z0-9-]{0,39}$/
const toolId = /^[a-zA-Z][a-zA-Z0-9-]*(?:_[a-zA-Z0-9-]+)*$/

const toolSchema = z.strictObject({
  id: z.string().max(60).regex(toolId, "must have letters, digits, - and single _"),
  name: z.string().min(1).max(100),
  description: z.string().min(1).max(8000),
  parameters: z.record(z.string(), z.unknown()),
})

const manifestSchema = z.strictObject({
  $schema: z.string().optional(),
  id: z
    .string()
    .regex(
      extensionId,
      "must begin with a letter, have lower-case letters, digits and - only, and be none of mcp, builtin, skill, haft and extension",
    ),
  name: z.string().min(1).max(100),
  version: z.string().min(1).max(40),
  description: z.string().max(2000).optional(),
  permissions: z.array(z.enum(["tools:register"])).max(10),
  /** What its calls may reach at the most. */
  requires: z
    .strictObject({
      fs: z
        .strictObject({ read: z.array(z.string()).max(50).optional(), write: z.array(z.string()).max(50).optional() })
        .optional(),
      net: z.strictObject({ hosts: z.array(z.string().min(1)).max(50) }).optional(),
    })
    .default({}),
  /** Tools of the session that its handlers may ask for. */
  calls: z.array(z.string().min(1)).max(50).default([]),
  worker: z
    .string()
    .max(200)
    .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[\w./-]+\.m?js$/, "must name a .js or .mjs file of the extension")
    .default("worker.mjs"),
  tools: z.array(toolSchema).max(100).default([]),
})

/** A tool as an extension declares it. */
export interface ExtensionTool {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** What an extension says of itself in its manifest.json. */
export interface ExtensionManifest {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly permissions: readonly string[]
  readonly requires: Pick<RequirementSet, "fs" | "net">
  readonly calls: readonly string[]
  readonly worker: string
  readonly tools: readonly ExtensionTool[]
}

/** Reads a manifest.json; each problem is named. */
export function readManifest(text: string): ExtensionManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refused(`manifest.json is no JSON (${(error as Error).message})`)
  }
  const parsed = manifestSchema.safeParse(value)
  if (!parsed.success) throw refused(problemSentences(parsed.error.issues as readonly Issue[], value).join("; "))
  const { $schema: _, description, tools, ...manifest } = parsed.data
  if (tools.length > 0 && !manifest.permissions.includes("tools:register"))
    throw refused('it declares tools without the permission "tools:register"')
  const ids = tools.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw refused(`it declares the tool "${twice}" twice`)
  return {
    ...manifest,
    requires: manifest.requires as ExtensionManifest["requires"],
    ...(description !== undefined && { description }),
    tools: tools.map((tool) => ({ ...tool, parameters: parametersOf(tool) })),
  }
}

function parametersOf({ id, parameters }: { readonly id: string; readonly parameters: unknown }): JsonSchema {
  try {
    return usableSchema(parameters, "input")
  } catch (error) {
    throw refused(`the parameters of "${id}" cannot be used: ${(error as Error).message}`)
  }
}

function refused(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot use the extension: ${reason}`, { hint: "Correct its manifest.json" })
}
