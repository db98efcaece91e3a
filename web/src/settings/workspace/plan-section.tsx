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
import { UsageMeter } from './usage-meter.tsx'

const plans: readonly Plan[] = ['free', 'pro', 'business']

/** The plan, and how much of it is used this month. */
export function PlanSection() {
  const { t } = useTranslation('settings')
  const { workspace: listed, workspaceId, isOwner } = useAccess()
  const { data: workspace = listed } = useQuery(workspacesGet(workspaceId))
  const { mutate, error, isPending } = useChange({
    run: (plan: Plan) => carillon.workspaces.update(workspaceId, { plan }),
    affects: () => [['workspaces.list'], ['workspaces.get', workspaceId]],
    done: (plan) => ({ title: t('plan.changed', { plan: t(`plan.names.${plan}`) }) }),
    showsErrors: false,
  })
  return (
    <>
      <SettingGroup title={t('plan.usage')} description={t('plan.usageHint')}>
        <UsageMeter usage={workspace.usage} />
      </SettingGroup>
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
