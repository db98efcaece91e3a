import type { PlatformInfo } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ArrowLeft, CircleCheck, CircleDashed, ExternalLink } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { platformsList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Badge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PlatformMark } from './platform-mark.tsx'

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

/** The steps for one platform, from its developer portal to the setting of this install. */
function PlatformSetup({ info }: { info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  const { platform, name } = info
  const { setting, available, simulated, method } = info.connect
  return (
    <section
      id={platform}
      aria-labelledby={`${platform}-title`}
      className="scroll-mt-6 rounded-card border border-line bg-surface p-5"
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <PlatformMark platform={platform} className="size-5" />
        <h2 id={`${platform}-title`} className="font-serif text-xl">
          {name}
        </h2>
        {available ? (
          <Badge tone="verdigris" icon={<CircleCheck aria-hidden />}>
            {t('setup.ready')}
          </Badge>
        ) : (
          <Badge tone="draft" icon={<CircleDashed aria-hidden />}>
            {t('notSetUp')}
          </Badge>
        )}
        {simulated && <Badge>{t('simulated')}</Badge>}
      </div>
      {simulated && <p className="mb-3 text-quiet">{t('setup.simulated', { platform: name })}</p>}
      {setting === null ? (
        <p className="text-quiet">
          {method === 'password' ? t('setup.password', { platform: name }) : t('setup.registers', { platform: name })}
        </p>
      ) : (
        <SetupSteps info={info} setting={setting} />
      )}
    </section>
  )
}

function SetupSteps({ info, setting }: { info: PlatformInfo; setting: string }) {
  const { t } = useTranslation('connections')
  const { portalUrl, redirectUri, scopes } = info.connect
  const copy = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <ol className="flex list-decimal flex-col gap-4 pl-5 marker:text-faint">
      <Step title={t('setup.portal', { platform: info.name })}>
        {portalUrl !== null && (
          <a href={portalUrl} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 break-all text-bell">
            {portalUrl.replace(/^https:\/\//, '')}
            <ExternalLink className="size-3.5 shrink-0" aria-hidden />
            <span className="sr-only">{t('newTab')}</span>
          </a>
        )}
      </Step>
      {redirectUri !== null && (
        <Step title={t('setup.redirect')}>
          <CopyText label={t('redirectUri')} text={redirectUri} {...copy} />
        </Step>
      )}
      {scopes.length > 0 && (
        <Step title={t('setup.scopes')}>
          <CopyText label={t('scopes')} text={scopes.join(' ')} {...copy} />
        </Step>
      )}
      <Step title={t('setup.setting')}>
        <CopyText label={setting} text={`${setting}=client-id:client-secret`} {...copy} />
      </Step>
    </ol>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="pl-1">
      <p className="mb-1.5">{title}</p>
      {children}
    </li>
  )
}
