import type { StreamingProps } from "@haft/contract"
import { Facts, listAt, Markdown, type ResultProps, textAt, useSay } from "@haft/faces"

export function MessageStreaming({ args }: StreamingProps) {
  const message = textAt(args, "message")
  return message === undefined ? null : <Markdown text={message} />
}

export function MessageResult({ args, data }: ResultProps) {
  const say = useSay()
  const attachments = listAt(data, "attachments").map((each) => textAt(each, "path") ?? "")
  return (
    <>
      <Markdown text={textAt(args, "message") ?? ""} />
      <Facts facts={{ [say("filesWithIt")]: attachments.join(", ") }} />
    </>
  )
}
