import { analyzeBashSource } from "./analyze-bash-source.js"
import { calculateSource } from "./calculate/calculate-source.js"
import { expressionSource } from "./calculate/expression-source.js"
import { fitImageSource } from "./fit-image-source.js"
import { articleSource } from "./html/article-source.js"
import { blockWriterSource } from "./html/block-writer-source.js"
import { convertHtmlSource } from "./html/convert-html-source.js"
import { elementSource } from "./html/element-source.js"
import { inlineSource } from "./html/inline-source.js"
import { pageFactsSource } from "./html/page-facts-source.js"
import { preparePageSource } from "./html/prepare-page-source.js"
import { selectHtmlSource } from "./html/select-html-source.js"
import { tableSource } from "./html/table-source.js"
import { walkSource } from "./html/walk-source.js"
import { pdfTextSource } from "./pdf-text-source.js"

const mainSource = `
"use strict"
const { parentPort, workerData } = require("node:worker_threads")
const { addresses, limits } = workerData
const jobs = { pdfText, fitImage, convertHtml, selectHtml, calculate, analyzeBash }

parentPort.on("message", async ({ job, request }) => {
  try {
    const { value, transfer = [] } = await jobs[job](request)
    parentPort.postMessage({ value }, transfer)
  } catch (error) {
    const { code = "backend", reason = String((error && error.message) || error) } = (error && error.reason && error) || {}
    parentPort.postMessage({ failure: { code, reason: error instanceof RangeError && !error.reason ? "it is nested too deeply" : reason } })
  }
})

function refuse(code, reason) {
  return Object.assign(new Error(reason), { code, reason })
}

/** A package, loaded by the first job that needs it. */
async function load(name) {
  if (addresses[name] === undefined) throw refuse("not_configured", "the package " + name + " is not installed")
  const module = await import(addresses[name])
  return module.default ?? module
}
`

/**
 * The program of the worker, as text. A worker from a file would need a path that is right in the sources, in the
 * compiled package and in a bundle of one file; a program that is handed over as text is right in all three. Packages are
 * imported by addresses that the main thread resolved. Each piece declares the functions of one idea.
 */
export const workerProgram = [
  mainSource,
  pdfTextSource,
  fitImageSource,
  walkSource,
  preparePageSource,
  pageFactsSource,
  elementSource,
  inlineSource,
  blockWriterSource,
  tableSource,
  articleSource,
  convertHtmlSource,
  selectHtmlSource,
  expressionSource,
  calculateSource,
  analyzeBashSource,
].join("\n")
