import type { Plan } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { workspacesGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { UsageGroups } from './usage-groups.tsx'

const plans: readonly Plan[] = ['free', 'pro', 'business']

/** How much is used, and the plan. */
export function PlanSection() {
  const { t } = useTranslation('settings')
  const { workspace: listed, workspaceId, isOwner } = useAccess()
  const { data: workspace = listed } = useQuery(workspacesGet(workspaceId))
  const { mutate, error, isPending } = useChange({
    run: (plan: Plan) => carillon.workspaces.update(workspaceId, { plan }),
    affects: () => [['workspaces.list'], ['workspaces.get', workspaceId], ['workspaces.usage', workspaceId]],
    done: (plan) => ({ title: t('plan.changed', { plan: t(`plan.names.${plan}`) }) }),
    showsErrors: false,
  })
  return (
    <>
      <UsageGroups />
      <SettingGroup title={t('plan.title')} description={isOwner ? t('plan.hint') : t('plan.onlyOwner')}>
        {error && <ErrorNotice error={error} />}
        <RadioGroup
          label={t('plan.title')}
          value={workspace.plan}
          onChange={(plan) => mutate(plan)}
          choices={plans.map((plan) => ({
            value: plan,
            label: t(`plan.names.${plan}`),
            disabled: !isOwner || isPending,
          }))}
        />
      </SettingGroup>
    </>
  )
}
