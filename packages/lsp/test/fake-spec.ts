import { fileURLToPath } from "node:url"
import type { ServerSpec } from "../src/find/server-table.js"

/** A project file that starts the server of this folder. */
export const fakeProgram = { path: "fake", text: '#!/bin/sh\nexec "$@"\n' }

/** Where the server of this folder is. */
export const fakeScript = fileURLToPath(new URL("./fake-server.mjs", import.meta.url))

/** The server of this folder for files that end in `.fake`; it keeps its notes in a folder. */
export function fakeSpec(mode: string, notes: string, options: Partial<ServerSpec> = {}): ServerSpec {
  return {
    id: "fake",
    title: "Fake",
    languageIds: { ".fake": "fake" },
    candidates: [
      { where: "project", program: fakeProgram.path, arguments: [process.execPath, fakeScript, mode, notes] },
    ],
    projectFiles: ["fake.json"],
    watched: [],
    unwatched: [],
    dependencies: ["installed/*"],
    install: "make fake",
    ...options,
  }
}
