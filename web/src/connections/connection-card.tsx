import type { Connection, PlatformInfo } from '@carillon/sdk'
import { CircleAlert, CircleCheck, CircleDashed, EllipsisVertical, RefreshCw, TriangleAlert, Unplug } from 'lucide-react'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { avatarAddress } from '../api/integrations.ts'
import { localeOf } from '../i18n/language.ts'
import { formatDistance, formatTime } from '../time/format-time.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { iconButtonLook } from '../ui/icon-button-look.ts'
import { Menu, MenuItem } from '../ui/overlay/menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel, hasReadableHandle } from './account-label.ts'
import { ConnectButton } from './connect-button.tsx'
import { MarkedAvatar } from './marked-avatar.tsx'
import { platformNameOf } from './platform-name.ts'

const DisconnectDialog = lazy(async () => ({ default: (await import('./disconnect-dialog.tsx')).DisconnectDialog }))

type ConnectionCardProps = {
  connection: Connection
  /** Missing for a platform that this install no longer has. */
  info: PlatformInfo | undefined
  canManage: boolean
}

/** One account: who it is, its state with the reason, what is at stake, and the one thing to do. */
export function ConnectionCard({ connection, info, canManage }: ConnectionCardProps) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { displayName, handle, status, instanceUrl } = connection
  const platform = platformNameOf(info && [info], connection.platform)
  const needsPerson = status === 'needs_reconnect' || status === 'expiring'
  const where = instanceUrl === null ? platform : `${platform} · ${new URL(instanceUrl).host}`
  const line = hasReadableHandle(connection) ? `${where} · @${handle}` : where
  return (
    <li
      className={`flex min-w-0 flex-col gap-4 rounded-card border bg-surface p-5 ${status === 'needs_reconnect' ? 'border-rust' : 'border-line'}`}
    >
      <div className="flex items-start gap-4">
        <MarkedAvatar name={displayName} src={avatarAddress(workspaceId, connection)} platform={connection.platform} />
        <div className="min-w-0 flex-1">
          <h3 className="truncate text-lg font-semibold">{displayName}</h3>
          <p className="truncate text-sm text-quiet" title={line}>
            {line}
          </p>
        </div>
        {canManage && <CardMenu connection={connection} platform={platform} />}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <ConnectionBadge status={status} />
        {info?.connect.simulated && <Badge>{t('simulated')}</Badge>}
      </div>
      <ConnectionFacts connection={connection} platform={platform} />
      {canManage && <TargetPicker connection={connection} />}
      {canManage && needsPerson && info && (
        <div className="mt-auto">
          <ConnectButton
            info={info}
            connection={connection}
            variant={status === 'needs_reconnect' ? 'primary' : 'secondary'}
            icon={<RefreshCw aria-hidden />}
          >
            {t('reconnect')}
            <span className="sr-only"> {accountLabel(connection)}</span>
          </ConnectButton>
        </div>
      )}
    </li>
  )
}

function CardMenu({ connection, platform }: { connection: Connection; platform: string }) {
  const { t } = useTranslation('connections')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t('cardMenu', { account: accountLabel(connection), platform })}
            className={`${iconButtonLook} -mt-2 -mr-2 shrink-0`}
          >
            <EllipsisVertical aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Unplug aria-hidden />} isDangerous onSelect={() => setIsAsking(true)}>
          {t('disconnect.open')}
        </MenuItem>
      </Menu>
      {isAsking && (
        <Suspense>
          <DisconnectDialog connection={connection} platform={platform} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

const looks: Readonly<Record<Connection['status'], { tone: Tone; icon: ReactNode }>> = {
  active: { tone: 'verdigris', icon: <CircleCheck aria-hidden /> },
  expiring: { tone: 'straw', icon: <TriangleAlert aria-hidden /> },
  needs_reconnect: { tone: 'rust', icon: <CircleAlert aria-hidden /> },
  disconnected: { tone: 'neutral', icon: <CircleDashed aria-hidden /> },
}

/** The state of a connection: a word, a mark and a colour. */
function ConnectionBadge({ status }: { status: Connection['status'] }) {
  const { t } = useTranslation('connections')
  const { tone, icon } = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`status.${status}`)}
    </Badge>
  )
}

/** Chooses the page or account to publish to, where one sign-in gives access to several. */
function TargetPicker({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { targets = [], target } = connection
  const { mutate, isPending } = useChange({
    run: (targetId: string) => carillon.workspaces.chooseTarget(workspaceId, connection.id, { targetId }),
    affects: () => [['workspaces.connections', workspaceId]],
    done: (targetId) => ({ title: t('targetChosen', { name: targets.find(({ id }) => id === targetId)?.name ?? '' }) }),
  })
  if (targets.length < 2) return null
  return (
    <Field label={t('target')} hint={t('targetHint')}>
      <Select
        options={targets.map(({ id, name, kind }) => ({ value: id, label: name, note: kind }))}
        {...(target && { value: target.id })}
        placeholder={t('targetPlaceholder')}
        disabled={isPending}
        onChange={(id) => id !== target?.id && mutate(id)}
      />
    </Field>
  )
}

/** The server counts waiting channels up to here. */
const countMax = 1000

/** Why an account needs attention, and what is at stake. */
function ConnectionFacts({ connection, platform }: { connection: Connection; platform: string }) {
  const { t, i18n } = useTranslation('connections')
  const { status, lastPublishedAt, scheduledChannels: count } = connection
  const [nowMs] = useState(() => Date.now())
  const needsPerson = status === 'needs_reconnect' || status === 'expiring'
  const key = needsPerson ? 'waiting' : 'scheduled'
  const published =
    lastPublishedAt === null
      ? t('neverPublished')
      : t('lastPublished', { when: formatDistance(lastPublishedAt, { nowMs, language: localeOf(i18n.language) }) })
  const scheduled = count >= countMax ? t(`${key}Many`) : t(key, { count })
  if (!needsPerson) return <p className="figures text-sm text-quiet">{`${scheduled} · ${published}`}</p>
  return (
    <div className="flex flex-col gap-1.5 text-sm text-quiet">
      <Reason connection={connection} platform={platform} />
      <p className={`figures ${count > 0 ? 'font-medium text-ink' : ''}`}>{scheduled}</p>
      <p>{published}</p>
    </div>
  )
}

function Reason({ connection, platform }: { connection: Connection; platform: string }) {
  const { t, i18n } = useTranslation('connections')
  const { timezone: zone } = useWorkspace()
  const { status, statusCode, statusReason, expiresAt } = connection
  if (status === 'expiring' && expiresAt !== null)
    return (
      <p className="text-ink">
        {t('reason.expiring', { platform, day: formatTime(expiresAt, 'day', { zone, language: localeOf(i18n.language) }) })}
      </p>
    )
  if (status !== 'needs_reconnect') return null
  return (
    <>
      <p className="text-ink">{t(`reason.${statusCode ?? 'token_refused'}`, { platform })}</p>
      {statusReason !== null && <p className="break-words">{t('reason.words', { message: statusReason })}</p>}
    </>
  )
}
