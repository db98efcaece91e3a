import { readConfig } from '../config.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { choice, flag } from '../infra/command-line/option.ts'
import { serve } from './serve.ts'

export const serveCommand = defineCommand({
  details:
    'Runs the service until it is stopped with Ctrl-C or SIGTERM, and then finishes what is running. If DATABASE_URL is set, missing ' +
    'migrations are applied first, unless you leave that to "carillon migrate" with --no-migrate. All settings are environment variables: docs/configuration.md.',
  options: {
    role: choice({
      values: ['all', 'api', 'worker'],
      default: 'all',
      about: 'What this process does: api answers requests, worker publishes, all does both.',
    }),
    'no-migrate': flag({ about: 'Changes nothing in the database schema. If it lacks a migration, the start is refused.' }),
  },
  run: ({ role, 'no-migrate': skipsMigrations }) => serve(readConfig(), { role, migrates: !skipsMigrations }),
  present: () => null,
})
