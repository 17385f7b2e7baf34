import { Component, type ReactNode } from "react"

/** Draws `fallback` where something below it failed; the rest of the page goes on. A new `place` tries again. */
export class ErrorBoundary extends Component<
  { place: string; fallback: (error: Error) => ReactNode; children: ReactNode },
  { error?: Error; place: string }
> {
  override state: { error?: Error; place: string } = { place: this.props.place }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps(props: { place: string }, state: { error?: Error; place: string }) {
    return props.place === state.place ? null : { place: props.place, error: undefined }
  }

  override render(): ReactNode {
    return this.state.error ? this.props.fallback(this.state.error) : this.props.children
  }
}
