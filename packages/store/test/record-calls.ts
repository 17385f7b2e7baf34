// A process that records calls until it is done or killed: one line on stdout for every call that is durable.
// Arguments: location of the journal, session (made when it is missing), number of calls, "claim" to own the session.
import { openStore } from "../src/index.js"
import { openCall, sampleCall, sampleRedactor, sampleSession } from "./samples.js"

const [location, sessionId, count, claim] = process.argv.slice(2)
const store = await openStore({ location: location!, redact: sampleRedactor })
if (!(await store.session(sessionId!))) await store.createSession(sampleSession({ id: sessionId! }))
if (claim === "claim") await store.claim(sessionId!)
process.stdout.write("ready\n")
for (let done = 0; done < Number(count); done++) {
  const call = sampleCall(sessionId!)
  // Every second call is of the kind that must not run twice.
  if (done % 2 === 1) {
    await store.begin(openCall(call))
    process.stdout.write(`begun ${call.callId}\n`)
  }
  await store.settle(call)
  process.stdout.write(`settled ${call.callId}\n`)
}
await store.close()
