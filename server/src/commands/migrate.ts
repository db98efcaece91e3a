import { readConfig } from '../config.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { flag } from '../infra/command-line/option.ts'
import { migrateDatabase } from '../infra/logins/prepare-database.ts'

export const migrateCommand = defineCommand({
  details:
    'Needs DATABASE_URL with the owner of the tables. Applies the migrations that the database lacks, creates the two logins of the ' +
    'service, and drops the logins of secret keys that are no longer configured. It may be repeated, and several processes may run it at once.',
  options: {
    'create-logins': flag({
      about:
        'Also creates the logins of CARILLON_DATABASE_APP_URL and CARILLON_DATABASE_SYSTEM_URL with the passwords in them, so that the ' +
        'processes of the service need no other login.',
    }),
  },
  run: ({ 'create-logins': createsLogins }) => migrateDatabase(readConfig(), { createsLogins }),
  present: ({ applied, droppedLogins }) =>
    [
      applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.length} migrations: ${applied.join(', ')}.`,
      ...(droppedLogins.length > 0 ? [`Dropped the logins of old secret keys: ${droppedLogins.join(', ')}.`] : []),
    ].join('\n'),
})
