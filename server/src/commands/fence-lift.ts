import { readConfig, type Config } from '../config.ts'
import { createContext } from '../create-context.ts'
import { acceptDatabase } from '../features/restore/accept-database.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { UsageError, flag } from '../infra/command-line/option.ts'
import { prepareLogins } from '../infra/logins/prepare-database.ts'

export const fenceLiftCommand = defineCommand({
  details:
    'Starts sending again without a restore. Use it only if the database is complete: otherwise posts are published twice. After a ' +
    'restore use "carillon restore finish" instead.',
  options: { 'nothing-lost': flag({ about: 'Says that the database is complete. The command does nothing without it.' }) },
  run: (values) => liftFence(readConfig(), { nothingLost: values['nothing-lost'] }),
  present: ({ lifted }) =>
    lifted ? 'The fence is lifted. Workers send again within ten seconds.' : 'The database was not fenced.',
})

/** Lifts the fence without a restore. The operator must say in words that nothing is missing. */
export async function liftFence(config: Config, { nothingLost }: { nothingLost: boolean }) {
  if (!nothingLost) {
    throw new UsageError(
      'A fence is lifted only with --nothing-lost, which says that the database is complete; after a restore use: carillon restore finish',
    )
  }
  // A restored database may be on a server that does not know the logins yet.
  await prepareLogins(config)
  const { ctx, close } = createContext(config)
  try {
    return { lifted: await acceptDatabase(ctx) }
  } finally {
    await close()
  }
}
