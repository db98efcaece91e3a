import type { PlatformInfo } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Plus, Wrench } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { operatorAccess } from '../api/operator.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonLook } from '../ui/button.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConnectButton } from './connect-button.tsx'
import { PlatformMark } from './platform-mark.tsx'

type PlatformRowProps = { info: PlatformInfo; count: number; isAvailable: boolean; canManage: boolean }

/** One platform: what it can do, whether this install is set up for it, and the button that connects an account. */
export function PlatformRow({ info, count, isAvailable, canManage }: PlatformRowProps) {
  const { t } = useTranslation('connections')
  const { simulated, feedUrl } = info.connect
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:gap-4">
      <span className="flex min-w-0 flex-1 items-start gap-4">
        <span className="mt-0.5 flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken">
          <PlatformMark platform={info.platform} />
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-base font-semibold">{info.name}</h3>
            {count > 0 && <span className="figures text-sm text-quiet">{t('accounts', { count })}</span>}
            {simulated && <Badge>{t('simulated')}</Badge>}
            {!isAvailable && <Badge tone="draft">{t('notSetUp')}</Badge>}
          </span>
          <PlatformAbilities info={info} />
          {feedUrl !== null && (
            <a
              href={feedUrl}
              target="_blank"
              rel="noreferrer"
              className="inline-flex items-center gap-1 self-start text-sm text-bell"
            >
              {t('openFeed')}
              <ExternalLink className="size-3.5" aria-hidden />
              <span className="sr-only">{t('newTab')}</span>
            </a>
          )}
        </span>
      </span>
      {canManage && (
        <span className="flex shrink-0 sm:justify-end">
          {isAvailable ? <AddAccount info={info} /> : <HowToSetUp info={info} />}
        </span>
      )}
    </li>
  )
}

function AddAccount({ info }: { info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  return (
    <ConnectButton info={info} icon={<Plus aria-hidden />}>
      {t('connect')}
      <span className="sr-only">{info.name}</span>
    </ConnectButton>
  )
}

/** An operator sets it up in the settings; everybody else reads what it needs. */
function HowToSetUp({ info }: { info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { data: isOperator = false } = useQuery(operatorAccess())
  const content = (
    <>
      <Wrench aria-hidden />
      {t('howToSetUp')}
      <span className="sr-only">{info.name}</span>
    </>
  )
  const className = buttonLook({ variant: 'quiet' })
  return isOperator ? (
    <Link
      to="/w/$workspaceId/settings/$section"
      params={{ workspaceId, section: 'platforms' }}
      search={{ platform: info.platform }}
      className={className}
    >
      {content}
    </Link>
  ) : (
    <Link to="/w/$workspaceId/integrations/setup" params={{ workspaceId }} hash={info.platform} className={className}>
      {content}
    </Link>
  )
}

/** What can be published on a platform, in a few words, from the facts that the server sends. */
function PlatformAbilities({ info }: { info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  const { text, photos, video, document, story, can } = info
  const words = [
    text.alone ? t('abilities.text', { count: text.max }) : t('abilities.caption', { count: text.max }),
    ...(photos ? [t('abilities.photos', { count: photos.max })] : []),
    ...(video ? [t('abilities.video')] : []),
    ...(document ? [t('abilities.document')] : []),
    ...(story ? [t('abilities.story')] : []),
    ...(can.firstComment ? [t('abilities.firstComment')] : []),
    ...(can.metrics ? [t('abilities.metrics')] : []),
  ]
  return <p className="figures text-sm text-quiet">{words.join(' · ')}</p>
}
