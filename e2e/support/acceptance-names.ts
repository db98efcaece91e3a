/**
 * Which acceptance tests the words of a command mean. The suite's own name is a part of every file's name, and vitest runs what any of the
 * words is a part of: beside the name of a file it would mean all files.
 */
export function acceptanceNames([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return []
  return first === 'acceptance' || first === 'acceptance/' ? rest : [first, ...rest]
}
