import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { defaultPath, parseSource } from "./source.js"

export const manifest = defineManifest({
  id: "repo_clone",
  title: "Clone repository",
  description:
    "Copies a git repository with its history into a new folder of the workspace: from an http or https address, or from a folder. Nothing of the repository runs; submodules are left out. Use to look into other code.",
  input: z.strictObject({
    url: z.string().min(1).describe("https address or folder, without credentials"),
    path: z.string().min(1).optional().describe("New folder; default the name of the repository"),
  }),
  output: outputSchema({
    path: z.string(),
    commit: z.string().nullable().describe("Id of the commit that is checked out; null when the repository is empty"),
    branch: z.string().nullable(),
    isolation: z
      .strictObject({ level: z.string(), backend: z.string(), profile: z.string(), network: z.string() })
      .optional(),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**"] },
    net: { hosts: ["*"] },
    shell: [{ cmd: "git" }],
  },
  operands: ["url", "path"],
  toolset: "code",
  kind: "execute",
  tier: "full-access",
  limit: { unit: "bytes", max: 65_536, past: "sidecar", fields: ["path"], keep: "head" },
  retry: "never",
  timeoutMs: 620_000,
  effects: ({ url, path }) => {
    const source = parseSource(url)
    return [
      source.kind === "web"
        ? { kind: "net.fetch", host: source.host, port: source.port }
        : { kind: "fs.read", path: source.kind === "folder" ? source.path : "." },
      { kind: "fs.write", path: path ?? defaultPath(url) },
    ]
  },
})

/** Where the copy is and which commit it shows. */
const present: Present<typeof manifest> = ({ path, commit, branch, isolation }) => {
  const place =
    commit === null ? "an empty repository" : `commit ${commit.slice(0, 9)}${branch === null ? "" : ` of ${branch}`}`
  const note = isolation?.level === "none" ? " [ran outside the sandbox]" : ""
  return [text(`Cloned into ${path}: ${place}${note}`)]
}

const messages: ToolMessages = {
  en: { title: "Clone repository", loading: "Cloning a repository", done: "Cloned a repository" },
  "zh-CN": {
    title: "克隆仓库",
    loading: "正在克隆仓库",
    done: "已克隆仓库",
    summary: "把 git 仓库连同历史复制到工作区的新文件夹；不运行仓库里的任何内容",
  },
}

// The least that git takes for a repository.
const files = {
  "origin/.git/HEAD": "ref: refs/heads/main\n",
  "origin/.git/config": "[core]\n\trepositoryformatversion = 0\n",
  "origin/.git/objects/info/alternates": "",
  "origin/.git/refs/heads/.keep": "",
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a folder of the workspace",
    files,
    input: { url: "./origin", path: "copy" },
    output: { path: "copy", commit: null },
  },
  { name: "something is there", files, input: { url: "./origin" }, fails: "conflict" },
  { name: "an address with credentials", input: { url: "https://me:secret@example.org/a.git" }, fails: "invalid_args" },
  { name: "an address that names a program", input: { url: "ext::sh -c id" }, fails: "invalid_args" },
  { name: "ssh", input: { url: "git@example.org:a.git" }, fails: "unsupported" },
]

/** Copies a git repository into the workspace, and runs nothing of it. */
export const repoClone = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
})
