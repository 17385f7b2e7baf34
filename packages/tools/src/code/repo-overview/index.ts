import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

export const manifest = defineManifest({
  id: "repo_overview",
  title: "Project overview",
  description:
    "Shows the shape of a project: a short tree with the number of files in each folder, and the languages by size; skips what ignore files name. Use once at the start of work in an unknown project; for one folder use ls, for files by name use glob.",
  input: z.strictObject({ path: z.string().min(1).default(".").describe("Directory") }),
  output: outputSchema({
    tree: z.string(),
    languages: z.array(
      z.strictObject({
        name: z.string(),
        files: z.int().min(1),
        bytes: z.int().min(0),
        share: z.number().min(0).max(1).describe("Of the bytes in all known languages, generated files left out"),
      }),
    ),
    file_count: z.int().min(0),
    complete: z.boolean().describe("False when there are more files than were counted"),
    denied: z.int().min(1).optional().describe("Files left out because a rule denies reading them"),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  operands: ["path"],
  toolset: "code",
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 20_000, past: "sidecar", fields: ["tree"], keep: "head" },
  retry: "safe",
  timeoutMs: 60_000,
  effects: ({ path }) => [{ kind: "fs.read", path }],
})

// The long tail of languages is in the data; a model needs the large ones.
const maxLanguages = 10

/** The tree, then the languages on one line, then how many files there are. */
const present: Present<typeof manifest> = ({ tree, languages, file_count, complete, denied }) => {
  const shares = languages
    .slice(0, maxLanguages)
    .map(({ name, files, share }) => `${name} ${percent(share)} (${files})`)
  const notes = [
    file_count === 0 ? "No files" : `${file_count} ${file_count === 1 ? "file" : "files"}`,
    ...(complete ? [] : ["there are more; look at one folder at a time"]),
    ...(denied === undefined ? [] : [`${denied} left out by rules`]),
  ]
  return [
    text(
      [
        ...(tree === "" ? [] : [tree]),
        ...(shares.length === 0 ? [] : [`Languages by bytes (files): ${shares.join(", ")}`]),
        `[${notes.join("; ")}]`,
      ].join("\n"),
    ),
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}

const messages: ToolMessages = {
  en: { title: "Project overview", loading: "Looking over the project", done: "Looked over the project" },
  "zh-CN": {
    title: "项目概览",
    loading: "正在浏览项目",
    done: "已浏览项目",
    summary: "显示项目的概貌：简短的目录树、各文件夹的文件数和各语言的占比",
  },
}

const files = { "README.md": "# Demo\n", "src/main.ts": "export const one = 1\n", "src/deep/part.ts": "export {}\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a small project",
    files,
    input: {},
    output: { tree: "src/ (2)\n  deep/ (1)\n    part.ts\n  main.ts\nREADME.md", file_count: 3, complete: true },
  },
  {
    name: "one folder of it, with its languages",
    files,
    input: { path: "src" },
    output: { file_count: 2, languages: [{ name: "TypeScript", files: 2, bytes: 31, share: 1 }] },
  },
  {
    name: "ignored files are left out",
    files: { ...files, ".gitignore": "src/\n" },
    input: {},
    output: { tree: ".gitignore\nREADME.md", file_count: 2 },
  },
  { name: "a folder that does not exist", files, input: { path: "scr" }, fails: "not_found" },
  { name: "a file is no folder", files, input: { path: "README.md" }, fails: "unsupported" },
]

/** Shows the shape of a project: its tree and its languages. */
export const repoOverview = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/overview-faces.js"),
})
