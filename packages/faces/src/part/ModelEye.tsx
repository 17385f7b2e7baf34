import type { ApiModelView } from "@haft/contract"
import { Eye } from "lucide-react"
import { useSay } from "../words/say.js"
import { IconButton } from "./Button.js"
import { Chip } from "./Header.js"
import { ImageView } from "./ImageView.js"
import { Note } from "./Note.js"
import { TextView } from "./TextView.js"

interface ModelEyeProps {
  readonly model: ApiModelView | undefined
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** Switches between the result as people see it and exactly what the model got. */
export function ModelEye({ model, on, onChange }: ModelEyeProps) {
  const say = useSay()
  if (model === undefined) return null
  return (
    <IconButton label={say("modelEye")} pressed={on} onClick={() => onChange(!on)}>
      <Eye />
    </IconButton>
  )
}

/** Exactly what the model read of a call, about how many tokens that is, and what it did not get. */
export function ModelText({ model }: { readonly model: ApiModelView | undefined }) {
  const say = useSay()
  if (model === undefined || model.content.length === 0) return <Note>{say("noModelText")}</Note>
  return (
    <section className="haft-model">
      <p className="haft-model-head">
        <span>{say("modelText")}</span>
        <Chip>{say("tokens", { n: model.tokens })}</Chip>
      </p>
      {model.content.map((part, index) =>
        part.type === "text" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place.
          <TextView key={index} text={part.text} label={say("modelText")} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place.
          <ImageView key={index} mediaType={part.mediaType} data={part.data} />
        ),
      )}
      {model.leftOut && <LeftOut leftOut={model.leftOut} />}
    </section>
  )
}

function LeftOut({ leftOut: { characters, path } }: { readonly leftOut: NonNullable<ApiModelView["leftOut"]> }) {
  const say = useSay()
  return (
    <Note tone="warn">
      {characters === undefined ? say("modelCut") : say("modelMissed", { n: characters })}
      {path !== undefined && ` ${say("restIn", { path })}`}
    </Note>
  )
}
