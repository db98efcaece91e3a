import { readConfig } from '../config.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { choice } from '../infra/command-line/option.ts'
import { serve } from './serve.ts'

export const serveCommand = defineCommand({
  details:
    'Runs the service until it is stopped with Ctrl-C or SIGTERM, and then finishes what is running. If DATABASE_URL is set, missing ' +
    'migrations are applied first. All settings are environment variables: docs/configuration.md.',
  options: {
    role: choice({
      values: ['all', 'api', 'worker'],
      default: 'all',
      about: 'What this process does: api answers requests, worker publishes, all does both.',
    }),
  },
  run: ({ role }) => serve(readConfig(), role),
  present: () => null,
})
