const dayMs = 86_400_000

/** The exclusive end of a range in a query: a date includes its whole UTC day, an instant only itself. */
export function rangeEnd(to: string): Date {
  const start = new Date(to)
  return /^\d{4}-\d\d-\d\d$/.test(to) ? new Date(start.getTime() + dayMs) : new Date(start.getTime() + 1)
}
