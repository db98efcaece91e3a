import type { Config } from '../config.ts'
import { openContext } from './open-context.ts'
import { migrateIfOwner } from '../infra/logins/prepare-database.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-workspace.ts'

/** Creates the first person, workspace and API key. */
export async function setupCommand(config: Config, wanted: { workspace: string; email: string }) {
  await migrateIfOwner(config)
  const { ctx, close } = await openContext(config)
  try {
    return await setUpWorkspace(ctx, wanted)
  } finally {
    await close()
  }
}
