import { availableParallelism } from 'node:os'
import { createQueue } from './create-queue.ts'

/** Runs programs that open untrusted files, at most one per processor. Memory is limited per program, so their number is limited too. */
export const runQueued = createQueue(availableParallelism())
