import type { Config } from '../config.ts'
import { openContext } from './open-context.ts'
import { migrate } from '../infra/db/migrate.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-workspace.ts'

/** Creates the first person, workspace and API key. */
export async function setupCommand(config: Config, wanted: { workspace: string; email: string }) {
  await migrate(config.databaseUrl)
  const { ctx, close } = await openContext(config)
  try {
    return await setUpWorkspace(ctx, wanted)
  } finally {
    await close()
  }
}
