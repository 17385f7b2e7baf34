import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `send_user_message` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "news during long work",
    input: { message: "The tests pass; the build goes on", status: "normal" },
    output: { attachments: [] },
  },
  {
    name: "with files",
    files: { "report.md": "# Report\n", "chart.png": "x" },
    input: { message: "The report is ready", status: "proactive", attachments: ["report.md", "chart.png"] },
    output: {},
  },
  {
    name: "a file that is missing",
    input: { message: "See this", status: "normal", attachments: ["no-such-file.md"] },
    fails: "not_found",
  },
  {
    name: "a folder is no attachment",
    files: { "src/a.ts": "" },
    input: { message: "See this", status: "normal", attachments: ["src"] },
    fails: "unsupported",
  },
]
