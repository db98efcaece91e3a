import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { platformsList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PlatformSetup } from './platform-setup.tsx'

/** For the operator of this install: what each platform needs before accounts can be connected. */
export function SetupPage() {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { data: platforms, error, refetch } = useQuery(platformsList())
  const { hash } = useLocation()
  useEffect(() => {
    // The sections are there only when the platforms have been loaded.
    if (platforms && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [platforms, hash])
  const sorted = platforms?.toSorted((a, b) => Number(a.connect.available) - Number(b.connect.available)) ?? []
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <div className="flex flex-col gap-3">
        <Link
          to="/w/$workspaceId/integrations"
          params={{ workspaceId }}
          className="inline-flex min-h-6 items-center gap-1.5 self-start text-sm text-quiet no-underline hover:text-ink"
        >
          <ArrowLeft className="size-4" aria-hidden />
          {t('title')}
        </Link>
        <PageHeader title={t('setup.title')} description={t('setup.intro')} />
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !platforms && <SkeletonLines label={t('loading')} count={6} />}
      {sorted.map((info) => (
        <PlatformSetup key={info.platform} info={info} />
      ))}
    </div>
  )
}
