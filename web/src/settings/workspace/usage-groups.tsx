import type { WorkspaceUsage } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { formatSize } from '../../media/format-size.ts'
import { formatNumber } from '../../time/format-number.ts'
import { SettingGroup } from '../setting-group.tsx'
import { UsageMeter } from './usage-meter.tsx'

/** Posts and AI tokens of this month, and the storage, against what is allowed. */
export function UsageGroups({ usage: { posts, storage, ai } }: { usage: WorkspaceUsage }) {
  const { t } = useTranslation('settings')
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
