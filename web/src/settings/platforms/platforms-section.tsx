import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { operatorAccess } from '../../api/operator.ts'
import { platformApps, type PlatformApp } from '../../api/platform-apps.ts'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { usePlatformName } from '../../connections/use-start-connect.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { PlatformPage } from './platform-page.tsx'
import { PlatformState } from './platform-state.tsx'

/** What each platform needs before accounts can be connected. Only operators see this; the server checks the same. */
export function PlatformsSection() {
  const { t } = useTranslation('operator')
  const { data: isOperator, error, refetch } = useQuery(operatorAccess())
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (isOperator === undefined) return <SkeletonLines label={t('loading')} count={6} />
  return isOperator ? <Platforms /> : <Notice title={t('onlyOperators')}>{t('onlyOperatorsHint')}</Notice>
}

/** The list, or the platform that the address names. */
function Platforms() {
  const { t } = useTranslation('platforms')
  const { platform } = useSearch({ strict: false })
  const { data: platforms, error, refetch } = useQuery(platformApps())
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!platforms) return <SkeletonLines label={t('loading')} count={7} />
  if (platform === undefined) return <PlatformList platforms={platforms} />
  const shown = platforms.find((each) => each.platform === platform)
  return shown ? <PlatformPage key={platform} subject={shown} /> : <Notice title={t('notFound')} />
}

function PlatformList({ platforms }: { platforms: readonly PlatformApp[] }) {
  const { t } = useTranslation('platforms')
  const { id: workspaceId } = useWorkspace()
  const nameOf = usePlatformName()
  return (
    <>
      <p className="max-w-[68ch] text-quiet">{t('text')}</p>
      <ul className="rounded-card border border-line bg-surface">
        {platforms.map((each) => (
          <li
            key={each.platform}
            className="relative flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-4 last:border-b-0 hover:bg-hover"
          >
            <span className="flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken">
              <PlatformMark platform={each.platform} />
            </span>
            <span className="flex min-w-0 flex-1 basis-32 flex-col">
              <Link
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId, section: 'platforms' }}
                search={{ platform: each.platform }}
                className="font-medium text-ink no-underline after:absolute after:inset-0 after:content-['']"
              >
                {nameOf(each.platform)}
              </Link>
              <span className="figures text-sm text-quiet">{t('accounts', { count: accountsOf(each) })}</span>
            </span>
            <PlatformState subject={each} />
          </li>
        ))}
      </ul>
    </>
  )
}

function accountsOf({ uses }: PlatformApp): number {
  return uses.reduce((sum, { accounts }) => sum + accounts, 0)
}
