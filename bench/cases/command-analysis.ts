import { analyzeBash } from "@haft/guard"
import type { BenchCase } from "../bench-case.js"
import { startLoopProbe } from "../loop-probe.js"
import { compiledAfter, percentile } from "../measure.js"

/** Lines as agents write them, about 200 characters each. */
const lines: readonly string[] = [
  `cd packages/app && npm run build --silent 2>&1 | tail -n 40; grep -rn "TODO" src --include='*.ts' | head -20 > notes/todo.txt && git status --short && git diff --stat HEAD~1 -- src/index.ts lib/part.ts`,
  `for file in src/*.ts test/*.ts; do if grep -q "export default" "$file"; then echo "$file: $(wc -l < "$file") lines"; sed -n '1,5p' "$file"; fi; done | sort -t: -k2 -rn | head -n 12 || echo "nothing found"`,
  `FOO=bar NODE_ENV=test timeout 60 node --test --test-reporter=spec "test/**/*.test.js" 2> errors.log; cat errors.log | awk '/not ok/ {print $3, $5}' | xargs -I{} cp {} /tmp/failed/ && rm -f errors.log out.txt x`,
]

/** Inputs that are made to take long: nested, repeated, unfinished, and as long as a call may be. */
const hostile: readonly string[] = [
  ...["$(", "(", "`", "$((", "{a,", "a() { ", `\${x:-`, "while cd a; do ", "case a in a) ", "<<a "].map((opener) =>
    opener.repeat(Math.floor(60_000 / opener.length)),
  ),
  `echo ${"{a,b}".repeat(10_000)}`,
  "echo a; ".repeat(8_000),
]

/** What it costs to know what a command would do. */
export const commandAnalysis: BenchCase = {
  name: "command-analysis",
  limits: {
    p50: { atMost: 100, unit: "µs", what: "analysis of a command of 200 characters, p50" },
    p99: { atMost: 500, unit: "µs", what: "the same, p99" },
    hostile: { atMost: 300, unit: "ms", what: "from any input to its verdict, the slowest of a dozen hostile ones" },
    loop: { atMost: 20, unit: "ms", what: "lag of the loop meanwhile, p99" },
  },
  async run(world) {
    const context = { directory: "/home/user/project", home: "/home/user", roots: ["/home/user/project"] }
    const times: number[] = []
    for (let round = 0; round < compiledAfter + 12_000; round++) {
      // A number makes each line new, so that nothing remembered can help.
      const line = `${lines[round % lines.length]} #${round}`
      const started = performance.now()
      const { parts } = analyzeBash(line, context)
      const elapsed = performance.now() - started
      if (parts.length < 3) throw new Error(`the analysis found ${parts.length} commands in: ${line}`)
      if (round >= compiledAfter) times.push(elapsed * 1000)
    }
    const opened = await world.open(await world.folder("analysis"))
    await opened.session.explain("bash", { command: "true" })
    const probe = startLoopProbe()
    let slowest = 0
    for (const command of hostile) {
      const started = performance.now()
      await opened.session.explain("bash", { command })
      slowest = Math.max(slowest, performance.now() - started)
    }
    probe.stop()
    await opened.close()
    return {
      hostile: { value: slowest },
      loop: { value: probe.p99() },
      p50: { value: percentile(times, 0.5) },
      p99: { value: percentile(times, 0.99) },
    }
  },
}
