import { object, type ObjectContext } from '@restatedev/restate-sdk'
import type { Job } from '../engine/engine.ts'
import { jobFactory, type HandlersOf } from '../engine/job-factory.ts'
import { isLater, type Witness } from './witness.ts'

type WitnessJobs = { save: Witness }

/** Where the engine keeps the witness: one object with one value. The names are part of the stored data. */
export const witnessPlace = { service: 'witness', key: 'cell', value: 'last' } as const

/** Keeps the latest position of the database in the engine's own storage. */
export function witnessWorkflow() {
  const handlers: HandlersOf<WitnessJobs, ObjectContext> = {
    save: async (run, seen) => {
      const last = await run.get<Witness>(witnessPlace.value)
      // Several workers send their positions; a late one must not replace a newer one.
      if (!last || isLater(seen, last)) run.set(witnessPlace.value, seen)
    },
  }
  return object({ name: witnessPlace.service, handlers })
}

export const saveWitnessJob = (seen: Witness): Job =>
  jobFactory<WitnessJobs>(witnessPlace.service)('save', seen, { key: witnessPlace.key })
