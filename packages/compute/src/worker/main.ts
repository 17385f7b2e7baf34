// The program of the compute workers. scripts/bundle-worker.mjs bundles it together with the packages that the jobs need.
// Each of those is a chunk of its own, which the first job that needs it loads.
import { parentPort } from "node:worker_threads"
import type { Answer, JobMessage, JobName, JobRequests, JobResults } from "../job.js"
import { calculate } from "./calculate/calculate.js"
import { fitImage } from "./fit-image.js"
import { convertHtml } from "./html/convert-html.js"
import { selectHtml } from "./html/select-html.js"
import { pdfText } from "./pdf-text.js"
import { messageOf, Refusal } from "./refuse.js"

type Jobs = { readonly [Name in JobName]: (request: JobRequests[Name]) => Promise<JobResults[Name]> }

const jobs: Jobs = { pdfText, fitImage, convertHtml, selectHtml, calculate, analyzeBash }

parentPort?.on("message", (message: JobMessage) => {
  void run(message)
    .then<Answer, Answer>(
      (value) => ({ value }),
      (error: unknown) => ({ failure: failureOf(error) }),
    )
    .then((answer) => parentPort?.postMessage(answer))
})

async function run<Name extends JobName>({ name, request }: JobMessage<Name>): Promise<JobResults[Name]> {
  return jobs[name](request)
}

function failureOf(error: unknown): Extract<Answer, { failure: unknown }>["failure"] {
  if (error instanceof Refusal) return { code: error.code, reason: error.message }
  return { code: "backend", reason: error instanceof RangeError ? "it is nested too deeply" : messageOf(error) }
}

/** What a long line for bash would do, by the very code that reads short ones in the main thread. */
async function analyzeBash({ text, place }: JobRequests["analyzeBash"]): Promise<unknown> {
  const analysis = await import("haft-command-analysis")
  return analysis.analyzeBash(text, place)
}
