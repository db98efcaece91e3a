import { resolve } from 'node:path'
import { readConfig, type Config } from '../config.ts'
import { writeBackup } from '../infra/backup/write-backup.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { requiredText } from '../infra/command-line/option.ts'
import { loginUrls } from '../infra/logins/login-urls.ts'
import { findKeyIdsInUse } from '../infra/sealing/secret-canary.store.ts'
import { openContext } from '../open-context.ts'

export const backupCommand = defineCommand({
  details:
    'Writes everything that PostgreSQL stores into a new folder, as it was at one moment, while the service runs, and a list of the media ' +
    'files. Neither the media files nor the secret keys are in it: keep the keys in another place. For large installations use a tool ' +
    'with point-in-time restore instead: docs/guides/backups.md.',
  options: { to: requiredText({ placeholder: 'FOLDER', about: 'Where the folder of the backup is made.' }) },
  run: ({ to }) => backUp(readConfig(), resolve(to)),
  present: ({ folder, rows, mediaFiles, keyIds }) =>
    [
      `The backup is in ${folder}: ${rows} rows.`,
      `It lists ${mediaFiles} media files and does not contain them.`,
      keyIds.length === 0
        ? 'It contains no encrypted secrets.'
        : `To restore it you need the secret keys with the ids ${keyIds.join(', ')}. They are not in it.`,
      `Restore it into a new database with: carillon restore --from ${folder}`,
    ].join('\n'),
})

export async function backUp(config: Config, to: string) {
  const { ctx, close } = await openContext(config)
  try {
    const keyIds = await findKeyIdsInUse(ctx.db.system)
    const { folder, manifest } = await writeBackup({ systemUrl: loginUrls(config).carillon_system, to, keyIds })
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    return { folder, takenAt: manifest.takenAt, rows, mediaFiles: manifest.media.files, mediaBytes: manifest.media.bytes, keyIds }
  } finally {
    await close()
  }
}
