import type { Detector, DetectorVerdict, WatchdogRequest } from "../detector.js"

/** Asks when a call that changed nothing several times in a row is made once more. */
export const repeatedCalls: Detector = {
  id: "repeated-calls",
  about: "The same call again and again with the same result, except for tools that wait by polling",
  inspect,
}

// Fewer happens in ordinary work: a file is read again after a detour.
const tolerated = 5

const allow: DetectorVerdict = { verdict: "allow" }

function inspect({ tool, argumentsHash, manifest, recent }: WatchdogRequest): DetectorVerdict {
  const last = recent.at(-1)
  if (last?.tool !== tool || last.argumentsHash !== argumentsHash || manifest.polls === true) return allow
  if (recent.length < tolerated) return allow
  const tail = recent.slice(-tolerated)
  if (!tail.every((call) => call.tool === tool && call.argumentsHash === argumentsHash)) return allow
  // Compared last: a digest of a result may be made only when it is looked at.
  if (!tail.every((call) => call.resultHash === last.resultHash)) return allow
  const reason = `the last ${tolerated} calls were the same as this one and gave the same result`
  return { verdict: "ask", reason, hint: "Do something else: the result will not change by asking again" }
}
