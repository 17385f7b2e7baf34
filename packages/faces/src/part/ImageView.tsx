import { bestEffort } from "@haft/contract"
import { useState } from "react"
import { labelText } from "../text/visible.js"
import { useSay } from "../words/say.js"
import { Note } from "./Note.js"

// What an image of each kind begins with. SVG and HTML are documents with a life of their own and never drawn.
const beginnings: Readonly<Record<string, RegExp>> = {
  "image/png": /^\x89PNG\r\n\x1a\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8[79]a/,
  "image/webp": /^RIFF[\s\S]{4}WEBP/,
}

interface ImageViewProps {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
  readonly name?: string
}

/** An image whose bytes are what its type says; anything else is named and not drawn. */
export function ImageView({ mediaType, data, name }: ImageViewProps) {
  const say = useSay()
  const [broken, setBroken] = useState(false)
  const isImage = beginnings[mediaType]?.test(firstBytes(data)) === true
  if (!isImage || broken) return <Note tone="warn">{say("notAnImage", { type: String(mediaType).slice(0, 100) })}</Note>
  return (
    <figure className="haft-image">
      <img
        src={`data:${mediaType};base64,${data}`}
        alt={name === undefined ? say("image") : labelText(name)}
        onError={() => setBroken(true)}
      />
      {name !== undefined && <figcaption>{labelText(name)}</figcaption>}
    </figure>
  )
}

function firstBytes(base64: string): string {
  return bestEffort("what is no base64 is no image", () => atob(String(base64).slice(0, 32))) ?? ""
}
