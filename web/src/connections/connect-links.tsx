import type { ConnectLink, Connection, PlatformInfo } from '@carillon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link2, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { connectLinksListPages } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { localeOf } from '../i18n/language.ts'
import { formatTime } from '../time/format-time.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel } from './account-label.ts'
import { NewLinkDialog } from './new-link-dialog.tsx'
import { ReturnOrigins } from './return-origins.tsx'

type ConnectLinksProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[] }

/** Links with which people who have no account here connect theirs. Only for admins. */
export function ConnectLinks({ connections, platforms }: ConnectLinksProps) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const links = useInfiniteQuery(connectLinksListPages(workspaceId, { limit: 20 }))
  const [isMaking, setIsMaking] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const list = links.data?.pages.flat() ?? []
  return (
    <section aria-labelledby="connect-links" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="connect-links" ref={heading} tabIndex={-1} className="font-serif text-xl outline-none">
            {t('links.title')}
          </h2>
          <p className="mt-1 max-w-[68ch] text-sm text-quiet">{t('links.intro')}</p>
        </div>
        <Button icon={<Plus aria-hidden />} onClick={() => setIsMaking(true)}>
          {t('links.make')}
        </Button>
      </div>
      {links.error && <ErrorNotice error={links.error} onRetry={() => void links.refetch()} />}
      {links.isPending && <SkeletonLines label={t('links.loading')} />}
      {list.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {list.map((link) => (
            <LinkRow key={link.id} link={link} connections={connections} platforms={platforms} />
          ))}
        </ul>
      )}
      {links.hasNextPage && (
        <Button className="self-start" isBusy={links.isFetchingNextPage} onClick={() => void links.fetchNextPage()}>
          {t('links.more')}
        </Button>
      )}
      <ReturnOrigins />
      {isMaking && <NewLinkDialog connections={connections} platforms={platforms} onClose={() => setIsMaking(false)} />}
    </section>
  )
}

const tones: Readonly<Record<ConnectLink['state'], Tone>> = {
  open: 'bell',
  used: 'verdigris',
  expired: 'neutral',
  revoked: 'neutral',
  ended: 'neutral',
}

function LinkRow({ link, connections, platforms }: ConnectLinksProps & { link: ConnectLink }) {
  const { t, i18n } = useTranslation('connections')
  const { timezone: zone } = useWorkspace()
  const { state, createdBy, expiresAt, usedAt, externalId, connectionId, returnUrl } = link
  const day = (at: string) => formatTime(at, 'day', { zone, language: localeOf(i18n.language) })
  const account = connections.find(({ id }) => id === connectionId)
  const names = link.platforms.map((platform) => platforms.find((each) => each.platform === platform)?.name ?? platform)
  const title = new Intl.ListFormat(localeOf(i18n.language), { type: 'disjunction' }).format(names)
  const facts = [
    ...(createdBy ? [t('links.by', { name: createdBy.name })] : []),
    ...(link.apiKeyId === null ? [] : [t('links.byKey')]),
    ...(state === 'open' ? [t('links.until', { day: day(expiresAt) })] : []),
    ...(usedAt === null ? [] : [t('links.usedOn', { day: day(usedAt) })]),
    ...(returnUrl === null ? [] : [t('links.backTo', { host: new URL(returnUrl).host })]),
  ]
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:gap-4">
      <Link2 aria-hidden className="hidden size-5 shrink-0 text-faint sm:block" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="font-semibold break-words">{link.isReconnect ? t('links.again', { platform: title }) : title}</h3>
          <Badge tone={tones[state]}>{t(`links.states.${state}`)}</Badge>
          {externalId !== undefined && <code className="font-mono text-sm wrap-anywhere text-quiet">{externalId}</code>}
        </div>
        {account && <p className="text-sm break-words">{accountLabel(account)}</p>}
        <p className="text-sm break-words text-quiet">{facts.join(' · ')}</p>
      </div>
      {state === 'open' && <RevokeLink link={link} title={title} />}
    </li>
  )
}

function RevokeLink({ link: { id }, title }: { link: ConnectLink; title: string }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending } = useChange({
    run: () => carillon.connectLinks.revoke(id, { workspaceId }),
    affects: () => [['connectLinks.list', workspaceId]],
    done: () => ({ title: t('links.revoke.done') }),
    onDone: () => setIsAsking(false),
  })
  return (
    <>
      <Button size="sm" className="self-start sm:self-center" onClick={() => setIsAsking(true)}>
        {t('links.revoke.open')}
        <span className="sr-only"> {title}</span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('links.revoke.title')}
        description={t('links.revoke.what')}
        cancelLabel={t('cancel')}
        confirmLabel={t('links.revoke.confirm')}
        isBusy={isPending}
        onConfirm={() => mutate()}
      />
    </>
  )
}
