import type { BoxSettings } from "../box-options.js"
import { findNamespaceHost } from "../namespace/namespace-host.js"
import { runInTree } from "../namespace/run-in-tree.js"
import type { BoxBackend } from "./backend.js"
import { treeBackend } from "./tree-backend.js"

/** Commands over the root file system of an image, behind the wall that `bash` has: the host's kernel serves them too. */
export function namespaceBackend(settings: BoxSettings): BoxBackend {
  return treeBackend(settings, {
    name: "bwrap",
    level: "namespace",
    find: (_image, signal) => findNamespaceHost(settings, signal),
    label: ({ chosen }) => chosen.detected.label,
    run: runInTree,
  })
}
