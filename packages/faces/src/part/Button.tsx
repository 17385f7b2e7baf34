import type { ReactNode } from "react"

interface IconButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
  readonly expanded?: boolean
  readonly pressed?: boolean
  readonly controls?: string
}

/** A button that is only a sign; its label is read aloud and shown on hover. */
export function IconButton({ label, onClick, children, expanded, pressed, controls }: IconButtonProps) {
  return (
    <button
      type="button"
      className="haft-icon-button"
      title={label}
      aria-label={label}
      aria-expanded={expanded}
      aria-pressed={pressed}
      aria-controls={controls}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

interface ButtonProps {
  readonly onClick?: () => void
  readonly children: ReactNode
  /** One button of a group may be the accent. */
  readonly look?: "accent" | "danger" | "plain"
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly submits?: boolean
}

/** A button with words. */
export function Button({ onClick, children, look = "plain", disabled, pressed, submits }: ButtonProps) {
  return (
    <button
      type={submits ? "submit" : "button"}
      className="haft-button"
      data-look={look}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
