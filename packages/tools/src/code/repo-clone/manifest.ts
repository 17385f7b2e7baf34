import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { defaultPath, parseSource } from "./source.js"

/** What is known about `repo_clone` without running it. */
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
