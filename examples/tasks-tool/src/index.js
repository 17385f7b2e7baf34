import { tool } from "haft"
import { examples } from "./examples.js"
import { manifests } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** What a model is told about the tools together: which is for what, and that a batch is one call. */
export const prompt = `Tasks are kept in tasks.json. task_list shows them. For one task use task_create and task_update, for several
tasks_create and tasks_update: one call changes all or none. task_delete removes a task for good and is asked about.`

/** The tools, one for each manifest. The work is loaded at the first call, the faces by pages only. */
export const tools = manifests.map((manifest) =>
  tool({
    ...manifest,
    messages: messages[manifest.id],
    present: present[manifest.id],
    examples: examples[manifest.id],
    execute: async (input, context) => (await import("./execute.js"))[manifest.id](input, context),
    faces: async () => ({ faces: (await import("./faces.js")).faces[manifest.id] }),
  }),
)
