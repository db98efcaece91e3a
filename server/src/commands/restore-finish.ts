import { readConfig, type Config } from '../config.ts'
import { createContext } from '../create-context.ts'
import { finishRestore } from '../features/restore/finish-restore.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { UsageError, requiredText } from '../infra/command-line/option.ts'
import { migrateIfOwner, prepareLogins } from '../infra/logins/prepare-database.ts'

const time = 'a time with an offset, for example 2026-11-16T07:50:00Z'

export const restoreFinishCommand = defineCommand({
  details:
    'Starts sending again after the database was restored. Channels that were due in the lost time become unconfirmed and are not sent ' +
    'again before the platforms were asked about them. It may be repeated. docs/guides/backups.md describes the whole restore.',
  options: {
    'lost-from': requiredText({ placeholder: 'TIME', about: `What the database was restored to: ${time}.` }),
    'lost-until': requiredText({
      placeholder: 'TIME',
      about: 'When the old database stopped. "carillon fence status" suggests it.',
    }),
  },
  run: (values) => finishWithTimes(readConfig(), { lostFrom: values['lost-from'], lostUntil: values['lost-until'] }),
  present: ({ wasFinished, ...counts }) =>
    wasFinished
      ? 'This restore was finished before; nothing was changed.'
      : ['The restore is finished. Workers send again within ten seconds.', ...countLines(counts)].join('\n'),
})

function countLines(counts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(counts).map(([name, count]) => `  ${name}: ${String(count)}`)
}

/** Finishes a restore: the operator says from when until when the database lacks what was stored. */
export async function finishWithTimes(config: Config, { lostFrom, lostUntil }: { lostFrom: string; lostUntil: string }) {
  const lost = { from: readInstant('--lost-from', lostFrom), until: readInstant('--lost-until', lostUntil) }
  await migrateIfOwner(config)
  await prepareLogins(config)
  const { ctx, close } = createContext(config, process.stderr)
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
    throw new UsageError(`${option} must be ${time}, not "${text}".`)
  return instant
}
