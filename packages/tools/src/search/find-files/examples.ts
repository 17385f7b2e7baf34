import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const files = {
  "README.md": "# Demo\n",
  "src/UserList.tsx": "export {}\n",
  "src/user.ts": "export const name = 'a longer file'\n",
  "src/deep/main.ts": "",
}

/** Calls that show what `find_files` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a part of the name in any case",
    files,
    input: { query: "user" },
    output: { paths: ["src/UserList.tsx", "src/user.ts"], complete: true, total: 2 },
  },
  {
    name: "by type, the largest first",
    files,
    input: { types: ["ts", ".tsx"], sort: "size", limit: 2 },
    output: { paths: ["src/user.ts", "src/UserList.tsx"], complete: false, total: 3 },
  },
  {
    name: "ignored files are left out, and no match is an answer",
    files: { ...files, ".gitignore": "src/\n" },
    input: { query: "user" },
    output: { paths: [], complete: true, total: 0 },
  },
  { name: "a date that is none", files, input: { modified_after: "yesterday" }, fails: "invalid_args" },
]
