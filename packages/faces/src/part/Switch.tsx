interface SwitchProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** The words of each choice. */
  readonly options: Readonly<Record<Value, string>>
}

/** A choice between a few views. */
export function Switch<Value extends string>({ label, value, onChange, options }: SwitchProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend, this is a row of buttons.
    <div className="haft-switch" role="group" aria-label={label}>
      {(Object.keys(options) as Value[]).map((option) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {options[option]}
        </button>
      ))}
    </div>
  )
}
