/**
 * The program of each kind of worker, and the folder of its bundle. The code that starts one looks for the folder beside
 * itself. One that is no thread is a process in a sandbox, which sees that folder alone.
 */
export const workers = [
  { entry: "packages/compute/src/worker/main.ts", folder: "packages/compute/dist/compute-worker", isThread: true },
  {
    entry: "packages/extensions/src/worker/main.ts",
    folder: "packages/extensions/dist/extension-worker",
    isThread: false,
  },
  {
    entry: "packages/host/src/workspace-index/worker/main.ts",
    folder: "packages/host/dist/index-worker",
    isThread: true,
  },
]
