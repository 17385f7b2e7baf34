import type { BenchCase } from "./bench-case.js"
import { agentStep } from "./cases/agent-step.js"
import { boxRun } from "./cases/box-run.js"
import { commandAnalysis } from "./cases/command-analysis.js"
import { commandDeadline } from "./cases/command-deadline.js"
import { commandOutput } from "./cases/command-output.js"
import { commandStart } from "./cases/command-start.js"
import { concurrentCommands } from "./cases/concurrent-commands.js"
import { concurrentReads } from "./cases/concurrent-reads.js"
import { confinedCommand } from "./cases/confined-command.js"
import { deepRead } from "./cases/deep-read.js"
import { durableTurn } from "./cases/durable-turn.js"
import { edit } from "./cases/edit.js"
import { glob } from "./cases/glob.js"
import { grep } from "./cases/grep.js"
import { indexSearch } from "./cases/index-search.js"
import { journaledCall } from "./cases/journaled-call.js"
import { mcpRoundTrip } from "./cases/mcp-round-trip.js"
import { mcpStart } from "./cases/mcp-start.js"
import { noOpCall } from "./cases/no-op-call.js"
import { smallRead } from "./cases/small-read.js"
import { toolSearch } from "./cases/tool-search.js"
import { typeCheck } from "./cases/type-check.js"
import { unconfinedCommand } from "./cases/unconfined-command.js"
import { webFetch } from "./cases/web-fetch.js"
import { workspaceSize } from "./cases/workspace-size.js"

/** The rows of the speed table, in its order. */
export const cases: readonly BenchCase[] = [
  noOpCall,
  journaledCall,
  durableTurn,
  agentStep,
  smallRead,
  deepRead,
  edit,
  grep,
  glob,
  concurrentReads,
  commandStart,
  mcpStart,
  mcpRoundTrip,
  typeCheck,
  confinedCommand,
  unconfinedCommand,
  workspaceSize,
  commandOutput,
  commandDeadline,
  commandAnalysis,
  boxRun,
  concurrentCommands,
  webFetch,
  toolSearch,
  indexSearch,
]
