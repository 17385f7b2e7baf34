import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `lsp` without running it. */
export const manifest = defineManifest({
  id: "lsp",
  title: "Ask language server",
  description:
    "Asks the project's language server: definition, references, hover (type and documentation), symbols, diagnostics (problems of a file). Use for what a name means and where it is used; for plain text use grep. Changes nothing.",
  input: z.strictObject({
    action: z.enum(["definition", "references", "hover", "symbols", "diagnostics"]),
    file_path: z.string().min(1).optional().describe("Needed except for symbols of the whole workspace"),
    line: z.int().min(1).optional().describe("Line of the name, from 1"),
    character: z.int().min(1).optional().describe("Column of the name, from 1; or give query"),
    query: z.string().min(1).max(500).optional().describe("The name itself, or part of a symbol's name"),
  }),
  output: outputSchema({
    items: z.array(
      z.strictObject({
        path: z.string(),
        line: z.int().min(1),
        character: z.int().min(1),
        text: z.string().describe("The line, the name of the symbol, or the message"),
        kind: z.string().optional().describe("Kind of symbol, or origin and code of a problem"),
        severity: z.enum(["error", "warning", "information", "hint"]).optional(),
      }),
    ),
    text: z.string().optional().describe("What hover shows, or a note"),
    server: z.string(),
    fresh: z.boolean().describe("False when the server said nothing about the files as they are now"),
    skipped: z.strictObject({ denied: z.int().min(1).describe("Places that may not be read") }).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] }, capabilities: ["lsp"] },
  toolset: "code",
  kind: "read",
  tier: "read-only",
  limit: { unit: "entries", max: 200, past: "sidecar", field: "items" },
  retry: "safe",
  timeoutMs: 60_000,
  effects: ({ file_path = "." }) => [{ kind: "fs.read", path: file_path }],
})
