import pg from 'pg'
import { problem } from '../problem/problem.ts'

type ExternalChange = { externalId?: string | null; metadata?: Record<string, string> | null }

/** The columns of a change. What it does not name stays as it is; null clears, and new metadata replace all that are there. */
export function externalColumns({ externalId, metadata }: ExternalChange) {
  return {
    ...(externalId !== undefined && { external_id: externalId }),
    ...(metadata !== undefined && { metadata: JSON.stringify(metadata ?? {}) }),
  }
}

/** The fields of a record as the API shows them. One that has none looks as it did before there were any. */
export function externalFields(row: { external_id: string | null; metadata: Record<string, string> }) {
  return {
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(Object.keys(row.metadata).length > 0 && { metadata: row.metadata }),
  }
}

/** Two requests can give the same id at the same time, so the index decides and not a question beforehand. */
export async function refuseTakenId<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const isTaken = error instanceof pg.DatabaseError && error.code === '23505' && error.constraint?.endsWith('_external_id')
    throw isTaken ? problem('external_id_taken') : error
  }
}
