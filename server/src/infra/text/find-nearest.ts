const typosMax = 3

/** The known word that is probably meant, or undefined if none is similar. A short word may differ in fewer letters. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((each) => ({ each, typos: editDistance(word, each) })).toSorted((a, b) => a.typos - b.typos)
  const [best] = ranked
  return best && best.typos <= Math.min(typosMax, Math.ceil(word.length / 2)) ? best.each : undefined
}

/** The number of letters to insert, remove or replace that turns one word into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
