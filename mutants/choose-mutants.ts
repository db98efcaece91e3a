import type { Mutant } from './read-mutants.ts'

type Choice = {
  names: readonly string[]
  /** How many to take; null takes all. */
  sample: number | null
  /** The commit in hexadecimal. It decides where the sample begins, so that every commit has a fixed sample and commits rotate. */
  commit: string
}

export function chooseMutants(all: readonly Mutant[], { names, sample, commit }: Choice): Mutant[] {
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name))
  if (unknown.length > 0) throw new Error(`there is no mutant named ${unknown.join(', ')}`)
  const chosen = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : [...all]
  if (sample === null || sample >= chosen.length) return chosen
  // Neighbours in the alphabet are often about the same code, so the sample is spread over the whole list.
  const begin = Number.parseInt(commit.slice(0, 8), 16) || 0
  const step = chosen.length / sample
  const places = Array.from({ length: sample }, (_, n) => Math.floor(begin + n * step) % chosen.length)
  return chosen.filter((_, place) => places.includes(place))
}
