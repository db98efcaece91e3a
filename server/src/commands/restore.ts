import { resolve } from 'node:path'
import { readConfig, type Config } from '../config.ts'
import { loadBackup } from '../infra/backup/load-backup.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { requiredText } from '../infra/command-line/option.ts'
import { ownerUrl } from '../infra/logins/login-urls.ts'
import { migrateDatabase } from '../infra/logins/prepare-database.ts'

export const restoreCommand = defineCommand({
  details:
    'Fills the empty database of DATABASE_URL with a backup that "carillon backup" made. It checks the files and the secret keys first, and ' +
    'loads everything or nothing. Afterwards sending is stopped, because posts may have been published after the backup, until you run ' +
    '"carillon restore finish". docs/guides/backups.md describes the whole restore.',
  options: { from: requiredText({ placeholder: 'FOLDER', about: 'The folder of the backup.' }) },
  run: ({ from }) => restore(readConfig(), resolve(from)),
  present: ({ takenAt, rows }) =>
    [
      `The backup of ${takenAt} is restored: ${rows} rows. Sending is stopped.`,
      'Next: start the engine with an empty data folder, start Carillon, and run',
      `  carillon restore finish --lost-from ${takenAt} --lost-until <time at which the old database stopped>`,
    ].join('\n'),
})

export async function restore(config: Config, folder: string) {
  const owner = ownerUrl(config)
  const { takenAt, tables } = await loadBackup({ folder, ownerUrl: owner, secretKeys: config.secretKeys })
  await migrateDatabase(config)
  return { takenAt, rows: Object.values(tables).reduce((sum, table) => sum + table.rows, 0) }
}
