/** Grey bars in the shape of what will come. */
export function Skeleton({
  label,
  rows,
  shape = "lines",
}: {
  readonly label: string
  readonly rows: number
  readonly shape?: "lines" | "rows" | "terminal"
}) {
  return (
    <div className="haft-skeleton" data-shape={shape} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike.
        <span key={index} className="haft-bar" data-width={index % 4} />
      ))}
    </div>
  )
}
