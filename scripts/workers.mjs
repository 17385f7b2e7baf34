/** The program of each kind of worker, and the folder of its bundle. The code that starts a thread looks for the folder beside itself. */
export const workers = [
  { entry: "packages/compute/src/worker/main.ts", folder: "packages/compute/dist/compute-worker" },
  { entry: "packages/extensions/src/worker/main.ts", folder: "packages/extensions/dist/extension-worker" },
  { entry: "packages/host/src/workspace-index/worker/main.ts", folder: "packages/host/dist/index-worker" },
]
