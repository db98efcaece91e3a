type UsageMeterProps = {
  /** What is measured; a screen reader reads it with the meter. */
  label: string
  used: number
  /** Null if there is no limit; then there is nothing to measure against. */
  limit: number | null
  /** "12 of 30 posts" */
  text: string
  /** "18 posts left" */
  rest?: string | undefined
}

/** How much of an allowance is used. */
export function UsageMeter({ label, used, limit, text, rest }: UsageMeterProps) {
  return (
    <div className="flex max-w-xl flex-col gap-2">
      <p className="figures text-lg">{text}</p>
      {limit !== null && (
        <meter aria-label={label} className="h-2 w-full" min={0} max={limit} high={limit * 0.8} optimum={0} value={used} />
      )}
      {rest !== undefined && <p className="figures text-sm text-quiet">{rest}</p>}
    </div>
  )
}
