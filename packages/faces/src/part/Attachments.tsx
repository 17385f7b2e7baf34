import type { Attachment } from "@haft/contract"
import { ImageView } from "./ImageView.js"

/** What came with a result besides words: images, where they are some. */
export function Attachments({ attachments }: { readonly attachments: readonly Attachment[] | undefined }) {
  if (!Array.isArray(attachments) || attachments.length === 0) return null
  return attachments.slice(0, 20).map(({ mediaType, data, name }: Attachment, index: number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be the same.
    <ImageView key={index} mediaType={mediaType} data={data} {...(name !== undefined && { name })} />
  ))
}
