import { Usage } from "../src/launcher/usage.js"

// A program that counts twenty uses, each stored by itself. Argument: the file of the uses.
for (let round = 0; round < 20; round += 1) {
  const usage = new Usage(process.argv[2]!, Date.now)
  usage.record("tool_bash")
  await usage.store()
}
