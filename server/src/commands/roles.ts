import { readConfig } from '../config.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { ownerUrl } from '../infra/logins/login-urls.ts'
import { ensureGroupRoles } from '../infra/logins/login.store.ts'

export const rolesCommand = defineCommand({
  details:
    'Creates the roles carillon_app and carillon_system in the PostgreSQL of DATABASE_URL. A dump refers to them and does not contain ' +
    'them: run this before you restore a dump into a new PostgreSQL. "carillon restore" does it by itself.',
  options: {},
  run: async () => ({ created: await ensureGroupRoles(ownerUrl(readConfig())) }),
  present: ({ created }) => (created.length === 0 ? 'Both roles exist already.' : `Created the roles ${created.join(' and ')}.`),
})
