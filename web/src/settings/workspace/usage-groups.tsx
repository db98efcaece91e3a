import type { WorkspaceUsage } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { workspacesUsage } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { formatSize } from '../../media/format-size.ts'
import { formatNumber } from '../../time/format-number.ts'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { SettingGroup } from '../setting-group.tsx'
import { UsageMeter } from './usage-meter.tsx'

/** Posts and AI tokens of this month, and the storage, against what is allowed. */
export function UsageGroups() {
  const { t } = useTranslation('settings')
  const usage = useUsage()
  if (!usage.data) return usage.instead
  const { posts, storage, ai } = usage.data
  return (
    <>
      <SettingGroup title={t('plan.usage')} description={t('plan.usageHint')}>
        <PostsMeter posts={posts} />
      </SettingGroup>
      <SettingGroup title={t('plan.storage')} description={t('plan.storageHint')}>
        <StorageMeter storage={storage} />
      </SettingGroup>
      <SettingGroup title={t('plan.ai')} description={t('plan.aiHint')}>
        {ai === null ? <p className="text-quiet">{t('plan.noAi')}</p> : <TokensMeter ai={ai} />}
      </SettingGroup>
    </>
  )
}

/** The same without plans, as one matter of the workspace. Only what the operator limits has a meter. */
export function UsageGroup() {
  const { t } = useTranslation('settings')
  const usage = useUsage()
  if (!usage.data) return usage.instead
  const { posts, storage, ai } = usage.data
  const isLimited = posts.limit > 0 || storage.limitBytes !== null || (ai !== null && ai.limitTokens !== null)
  return (
    <SettingGroup
      title={t('withoutPlans.title')}
      description={t(isLimited ? 'withoutPlans.someLimits' : 'withoutPlans.noLimits')}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-8 gap-y-3">
        <dt className="text-quiet">{t('plan.usage')}</dt>
        <dd>
          <PostsMeter posts={posts} />
        </dd>
        <dt className="text-quiet">{t('plan.storage')}</dt>
        <dd>
          <StorageMeter storage={storage} />
        </dd>
        {ai !== null && (
          <>
            <dt className="text-quiet">{t('plan.ai')}</dt>
            <dd>
              <TokensMeter ai={ai} />
            </dd>
          </>
        )}
      </dl>
    </SettingGroup>
  )
}

/** What is used; until it is known, what is shown instead. */
function useUsage(): { data: WorkspaceUsage } | { data: undefined; instead: ReactNode } {
  const { t } = useTranslation('settings')
  const { id } = useWorkspace()
  const { data, error, refetch } = useQuery(workspacesUsage(id))
  if (data) return { data }
  const instead = error ? (
    <ErrorNotice error={error} onRetry={() => void refetch()} />
  ) : (
    <SkeletonLines label={t('loading')} count={4} />
  )
  return { data, instead }
}

/** A limit below zero means that there is none. */
function PostsMeter({ posts: { count, limit, remaining } }: Pick<WorkspaceUsage, 'posts'>) {
  const { t, i18n } = useTranslation('settings')
  const number = (value: number) => formatNumber(value, i18n.language)
  const [label, used] = [t('plan.usage'), number(count)]
  if (limit <= 0) return <UsageMeter label={label} used={count} limit={null} text={t('plan.unlimited', { count, used })} />
  return (
    <UsageMeter
      label={label}
      used={count}
      limit={limit}
      text={t('plan.used', { count, used, limit: number(limit) })}
      rest={t('plan.remaining', { count: remaining, left: number(remaining) })}
    />
  )
}

function StorageMeter({ storage: { usedBytes, limitBytes } }: Pick<WorkspaceUsage, 'storage'>) {
  const { t, i18n } = useTranslation('settings')
  const used = formatSize(usedBytes, i18n.language)
  const text =
    limitBytes === null
      ? t('plan.storageUnlimited', { used })
      : t('plan.storageUsed', { used, limit: formatSize(limitBytes, i18n.language) })
  return <UsageMeter label={t('plan.storage')} used={usedBytes} limit={limitBytes} text={text} />
}

function TokensMeter({ ai: { usedTokens, limitTokens } }: { ai: NonNullable<WorkspaceUsage['ai']> }) {
  const { t, i18n } = useTranslation('settings')
  const used = formatNumber(usedTokens, i18n.language)
  const text =
    limitTokens === null
      ? t('plan.tokensUnlimited', { used })
      : t('plan.tokensUsed', { used, limit: formatNumber(limitTokens, i18n.language) })
  return <UsageMeter label={t('plan.ai')} used={usedTokens} limit={limitTokens} text={text} />
}
