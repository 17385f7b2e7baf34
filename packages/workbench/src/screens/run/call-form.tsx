import { useSentence } from "@haft/faces"
import type { Say } from "@haft/language"
import { Textarea } from "@mantine/core"
import { withTheme } from "@rjsf/core"
import { Theme } from "@rjsf/mantine"
import {
  englishStringTranslator,
  type ObjectFieldTemplateProps,
  type RJSFSchema,
  type UiSchema,
  type WidgetProps,
} from "@rjsf/utils"
import { useMemo } from "react"
import { useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"
import { schemaValidator } from "./schema-validator.js"
import "./form-styles.css"

const Form = withTheme(Theme)

/** A form for the arguments of any tool, from its schema: required ones first, the others folded. */
export default function CallForm(props: {
  schema: Readonly<Record<string, unknown>>
  value: Readonly<Record<string, unknown>>
  change: (value: Readonly<Record<string, unknown>>) => void
}) {
  const { value, change } = props
  const words = useWords(runWords)
  const sentence = useSentence()
  const schema = useMemo(() => describedIn(props.schema as RJSFSchema, sentence), [props.schema, sentence])
  const uiSchema = useMemo(() => uiOf(schema), [schema])
  return (
    <Form
      schema={schema}
      uiSchema={uiSchema}
      formData={value}
      validator={schemaValidator}
      onChange={({ formData }) => change((formData ?? {}) as Record<string, unknown>)}
      liveValidate="onChange"
      showErrorList={false}
      transformErrors={(errors) =>
        errors.map((error) => ({ ...error, message: words.wrong(error.name ?? "", error.message ?? "") }))
      }
      translateString={(text, parts) => englishStringTranslator(words.inForm(text) as typeof text, parts)}
      noHtml5Validate
      tagName="div"
      templates={{ ObjectFieldTemplate: Fields }}
      widgets={{ TextWidget: GrowingText, TextareaWidget: GrowingText }}
      experimental_defaultFormStateBehavior={{
        emptyObjectFields: "skipDefaults",
        arrayMinItems: { populate: "never" },
      }}
    >
      {/* The buttons are outside of the form. */}
      <span />
    </Form>
  )
}

/** The schema with its descriptions in the language of the page. */
function describedIn<Part>(part: Part, say: Say): Part {
  if (typeof part !== "object" || part === null) return part
  if (Array.isArray(part)) return part.map((each) => describedIn(each, say)) as Part
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === "description" && typeof value === "string" ? say(value) : describedIn(value, say),
  ])
  return Object.fromEntries(entries)
}

function uiOf(schema: RJSFSchema): UiSchema {
  const required = schema.required ?? []
  const names = Object.keys(schema.properties ?? {})
  return {
    "ui:order": [...names.filter((name) => required.includes(name)), "*"],
    "ui:submitButtonOptions": { norender: true },
  }
}

/** Required arguments, then the optional ones behind one line. */
function Fields({ properties, schema, formData, title, description, fieldPathId }: ObjectFieldTemplateProps) {
  const words = useWords(runWords)
  const required = properties.filter(({ name }) => schema.required?.includes(name))
  const optional = properties.filter(({ name }) => !schema.required?.includes(name))
  const isRoot = fieldPathId.path.length === 0
  const isUsed = optional.some(({ name }) => (formData as Record<string, unknown> | undefined)?.[name] !== undefined)
  return (
    <fieldset className={classes.fields} data-root={isRoot || undefined}>
      {!isRoot && <legend>{title}</legend>}
      {!isRoot && description !== undefined && <p className={classes.fieldNote}>{description}</p>}
      {required.map(({ content }) => content)}
      {optional.length > 0 && (
        <details className={classes.optional} open={isUsed || required.length === 0 || undefined}>
          <summary>{words.optional(optional.length)}</summary>
          <div className={classes.fields}>{optional.map(({ content }) => content)}</div>
        </details>
      )}
    </fieldset>
  )
}

/** A text of one line that grows when it gets more. */
function GrowingText(props: WidgetProps) {
  const { id, label, value, required, disabled, readonly, placeholder, rawErrors, schema, options, hideLabel } = props
  return (
    <Textarea
      id={id}
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      description={schema.description}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => {
        const text = event.currentTarget.value
        props.onChange(text === "" ? options.emptyValue : text)
      }}
      required={required}
      disabled={disabled || readonly}
      placeholder={schema.default === undefined ? placeholder : String(schema.default)}
      error={rawErrors?.[0]}
      autosize
      minRows={1}
      maxRows={14}
      spellCheck={false}
      classNames={{ input: classes.mono }}
    />
  )
}
