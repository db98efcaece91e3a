/** Does work on all items, so many at a time, each started only when there is room for it. Waits for all of them before it fails. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const failures: unknown[] = []
  const lane = async () => {
    for (const item of rest) await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
}
