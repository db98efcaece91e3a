import type { Mutant } from './read-mutants.ts'

/** The text does not occur exactly once: the code has changed since the mutant was written. */
export class StaleMutant extends Error {
  constructor({ name, file }: Pick<Mutant, 'name' | 'file'>, count: number) {
    super(`the mutant ${name} is stale: its text occurs ${count} times in ${file} instead of once`)
    this.name = 'StaleMutant'
  }
}

/** The source with the bug in it. */
export function plantBug(source: string, mutant: Pick<Mutant, 'name' | 'file' | 'find' | 'replace'>): string {
  const parts = source.split(mutant.find)
  if (parts.length !== 2) throw new StaleMutant(mutant, parts.length - 1)
  return parts.join(mutant.replace)
}
