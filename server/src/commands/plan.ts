import { plans } from '@carillon/contract'
import type { Config } from '../config.ts'
import { setPlan } from '../features/workspaces/set-plan.ts'
import { openContext } from './open-context.ts'

/** Changes the plan of a workspace. */
export async function planCommand(config: Config, { workspaceId, plan: given }: { workspaceId: string; plan: string }) {
  const plan = plans.find((each) => each === given)
  if (!plan) throw new Error(`--plan must be ${plans.join(', ')}, not "${given}"`)
  const { ctx, close } = await openContext(config)
  try {
    await setPlan(ctx, { workspaceId, plan })
    return { workspaceId, plan }
  } finally {
    await close()
  }
}
