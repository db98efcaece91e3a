import type { Context } from '../../../context.ts'
import { fillPlatforms, fillWords } from './post-indexes.store.ts'

const batchSize = 1000

/** Adds what lists and searches need and creating a post does not wait for. Returns whether there may be more. */
export async function fillPostIndexes({ db }: Context): Promise<boolean> {
  const searchable = await fillWords(db.system, batchSize)
  const withPlatforms = await fillPlatforms(db.system, batchSize)
  return searchable === batchSize || withPlatforms === batchSize
}
