import type { Connection } from '@carillon/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../i18n/language.ts'
import { formatDistance, formatTime } from '../time/format-time.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** The server counts waiting channels up to here. */
const countMax = 1000

/** Why an account needs attention, and what is at stake. */
export function ConnectionFacts({ connection, platform }: { connection: Connection; platform: string }) {
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
