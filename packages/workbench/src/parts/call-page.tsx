import type { CallView } from "@haft/contract"
import { CallPortal, type FaceTool } from "@haft/faces"
import { Modal } from "@mantine/core"
import { useLanguage, useWords } from "../words/words.js"
import { stateWords } from "./states.words.js"

/** One call on the whole page; Escape goes back. */
export default function CallPage({ call, tool, close }: { call: CallView; tool: FaceTool; close: () => void }) {
  const language = useLanguage()
  const words = useWords(stateWords)
  return (
    <Modal
      opened
      onClose={close}
      fullScreen
      title={tool.messages?.[language].title ?? tool.title}
      closeButtonProps={{ "aria-label": words.close }}
    >
      <CallPortal call={call} tool={tool} />
    </Modal>
  )
}
