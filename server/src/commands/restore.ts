import type { Config } from '../config.ts'
import { createContext } from '../create-context.ts'
import { finishRestore } from '../features/restore/finish-restore.ts'
import { migrate } from '../infra/db/migrate.ts'

/** Finishes a restore: the operator says from when until when the database lacks what was stored. */
export async function restoreFinishCommand(config: Config, { lostFrom, lostUntil }: { lostFrom: string; lostUntil: string }) {
  const lost = { from: readInstant('--lost-from', lostFrom), until: readInstant('--lost-until', lostUntil) }
  await migrate(config.databaseUrl)
  const { ctx, close } = createContext(config)
  try {
    return await finishRestore(ctx, lost)
  } finally {
    await close()
  }
}

/** A time without an offset would be read in the zone of the operator's machine, so it is refused. */
function readInstant(option: string, text: string): Date {
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime()) || !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text))
    throw new Error(`${option} must be a time with an offset, for example 2026-11-16T07:50:00Z, not "${text}"`)
  return instant
}
