// What tests import as "fast-check": the same seed every time, so that a run on one machine says what it says on another.
// HAFT_SEED=random, or a number, looks further; a failure prints the seed that it came with.
import { expect } from "vitest"
import fc from "../node_modules/fast-check/lib/fast-check.js"

const wanted = process.env.HAFT_SEED ?? "4177"
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) })

/** Properties that expect something; others return what they found, or hold when nothing is thrown. */
const expecting = new WeakSet()

const noted =
  (make) =>
  (...parts) => {
    const property = make(...parts)
    if (String(parts.at(-1)).includes("expect")) expecting.add(property)
    return property
  }

const property = noted(fc.property)
const asyncProperty = noted(fc.asyncProperty)

/** Fails when no sample reached an expectation: each of them returned before, and the property shows nothing. */
function assert(tried, options) {
  const before = expect.getState().assertionCalls
  const check = () => {
    if (!expecting.has(tried) || expect.getState().assertionCalls > before) return
    throw new Error("no sample of this property reached an expectation: generate samples that do")
  }
  const running = fc.assert(tried, options)
  return running instanceof Promise ? running.then(check) : check()
}

export * from "../node_modules/fast-check/lib/fast-check.js"
export { assert, asyncProperty, property }
export default { ...fc, assert, asyncProperty, property }
