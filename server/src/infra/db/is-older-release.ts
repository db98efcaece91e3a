const releaseNumber = /^v?(\d+)\.(\d+)\.(\d+)/

/** Whether a release comes before another one, by the three numbers of both. A version without numbers is never older. */
export function isOlderRelease(version: string, than: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(than)]
  const at = numbers.findIndex((number, n) => number !== others[n])
  return at !== -1 && (numbers[at] ?? 0) < (others[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return releaseNumber.exec(version)?.slice(1).map(Number) ?? []
}
