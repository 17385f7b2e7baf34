import { ActionIcon } from "@mantine/core"
import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { useWords } from "../words/words.js"
import { stateWords } from "./states.words.js"

/** Copies a text, and says so. */
export function CopyButton({ text }: { text: string }) {
  const words = useWords(stateWords)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <ActionIcon aria-label={isCopied ? words.copied : words.copy} onClick={copy}>
      {isCopied ? <Check size={14} /> : <Copy size={14} />}
    </ActionIcon>
  )
}
