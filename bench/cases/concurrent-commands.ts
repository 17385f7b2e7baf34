import type { BenchCase } from "../bench-case.js"
import { runChild } from "../child/run-child.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { withoutBubblewrap } from "../without-bubblewrap.js"

const count = 100

/** Many commands at once. */
export const concurrentCommands: BenchCase = {
  name: "concurrent-commands",
  limits: {
    right: { atLeast: count, unit: "", what: `right answers of ${count} concurrent confined commands` },
    memory: { atMost: 48, unit: "MB", what: "memory that they add" },
  },
  skip: withoutBubblewrap,
  async run(world) {
    const root = await world.folder("concurrent-commands")
    const opened = await world.open(root, { rules: allowing("bash") })
    const call = async (index: number) => {
      const data = mustSucceed(await opened.session.call("bash", { command: `echo "answer ${index}"` }))
      return data.stdout === `answer ${index}\n` && data.exit_code === 0
    }
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => call(index)))
    await opened.close()
    const task = { root, home: await world.folder("home"), request: { command: "echo answer" }, concurrent: count }
    const { memoryMb } = await runChild("bash", task)
    return { right: { value: answers.filter(Boolean).length }, memory: { value: memoryMb } }
  },
}
