import { expect, test } from "vitest"
import { workbench } from "../../../test/workbench.js"

test("git is installed only from an address and with a hash that the user's own configuration names", async () => {
  const bench = workbench()
  try {
    const { code, stderr } = await bench.run(["doctor", "--install", "git"])
    expect(code).toBe(3)
    expect(stderr).toContain("haft config set git.baseUrl ")
  } finally {
    bench.remove()
  }
})
