import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

/** The longest that a call may wait. */
const maxSleepMs = 300_000

const manifest = defineManifest({
  id: "sleep",
  title: "Sleep",
  description:
    "Waits and does nothing else. Use to give something outside time, for instance between two looks at a server; for a job use job_output with wait_ms.",
  input: z.strictObject({ duration_ms: z.int().min(0).max(maxSleepMs) }),
  output: outputSchema({ slept_ms: z.int().min(0) }),
  requires: {},
  operands: ["duration_ms"],
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: maxSleepMs + 10_000,
  effects: () => [],
  // Who waits for something waits again.
  polls: true,
})

/** Waits for the whole time, or until the call is aborted. */
export const execute: Execute<typeof manifest> = async ({ duration_ms }, { signal }) => {
  const started = performance.now()
  await new Promise<void>((awake, abort) => {
    const stop = () => {
      clearTimeout(timer)
      abort(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      awake()
    }, duration_ms)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
  return { slept_ms: Math.round(performance.now() - started) }
}

/** Says how long it was. */
const present: Present<typeof manifest> = ({ slept_ms }) => [text(`Waited ${slept_ms} ms`)]

const messages: ToolMessages = {
  en: { title: "Sleep", loading: "Waiting", done: "Waited" },
  "zh-CN": { title: "等待", loading: "正在等待", done: "已等待", summary: "只是等待一段时间" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a moment", input: { duration_ms: 20 }, output: {} },
  { name: "no time at all", input: { duration_ms: 0 }, output: {} },
  { name: "a tenth of a second", input: { duration_ms: 100 }, output: {} },
]

/** Waits. */
export const sleep = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
})
