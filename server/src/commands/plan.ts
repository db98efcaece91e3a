import { plans, type Plan } from '@carillon/contract'
import { readConfig, type Config } from '../config.ts'
import { setPlan } from '../features/workspaces/set-plan.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { choice, requiredText } from '../infra/command-line/option.ts'
import { openContext } from '../open-context.ts'

export const planCommand = defineCommand({
  details: 'Changes the plan of a workspace. With CARILLON_PLAN_CHANGES=operator this is the only way to change it.',
  options: {
    workspace: requiredText({ placeholder: 'ID', about: 'The workspace.' }),
    plan: choice({ values: plans, about: 'Its new plan.' }),
  },
  run: ({ workspace, plan }) => changePlan(readConfig(), { workspaceId: workspace, plan }),
  present: ({ workspaceId, plan }) => `The workspace ${workspaceId} now has the plan ${plan}.`,
})

async function changePlan(config: Config, wanted: { workspaceId: string; plan: Plan }) {
  const { ctx, close } = await openContext(config)
  try {
    await setPlan(ctx, wanted)
    return wanted
  } finally {
    await close()
  }
}
