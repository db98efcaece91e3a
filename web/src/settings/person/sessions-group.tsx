import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { account, accountSessions, type OwnSession } from '../../api/account.ts'
import { auth } from '../../api/auth.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { browserZone, formatTime } from '../../time/format-time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { SettingGroup } from '../setting-group.tsx'
import { deviceName } from './device-name.ts'

/** Where the person is signed in, and how to end it. */
export function SessionsGroup() {
  const { t } = useTranslation('settings')
  const { data: sessions, error, refetch } = useQuery(accountSessions())
  const affects = () => [accountSessions().queryKey]
  const { mutate: endOthers, isPending } = useChange({
    run: () => auth.signOutElsewhere(),
    affects,
    done: () => ({ title: t('sessions.othersEnded') }),
  })
  const { mutate: end } = useChange({
    run: ({ token }: OwnSession) => account.endSession(token),
    affects,
    done: () => ({ title: t('sessions.ended') }),
  })
  const hasOthers = sessions !== undefined && sessions.length > 1
  return (
    <SettingGroup
      title={t('sessions.title')}
      description={t('sessions.text')}
      actions={
        <Button disabled={!hasOthers} isBusy={isPending} onClick={() => endOthers(undefined)}>
          {t('sessions.endOthers')}
        </Button>
      }
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!sessions && !error && <SkeletonLines label={t('loading')} />}
      {sessions && (
        <ul aria-label={t('sessions.title')} className="rounded-card border border-line bg-surface">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end(session)} />
          ))}
        </ul>
      )}
    </SettingGroup>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { t } = useTranslation('settings')
  const style = useTimeStyle()
  const { userAgent, ipAddress, updatedAt, isCurrent } = session
  const device = deviceName(userAgent ?? '') ?? t('sessions.unknown')
  const time = formatTime(updatedAt, 'dayAndTime', { ...style, zone: browserZone() })
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{device}</p>
        <p className="figures text-sm text-quiet">
          {t('sessions.seen', { time })}
          {ipAddress ? ` · ${ipAddress}` : ''}
        </p>
      </div>
      {isCurrent ? (
        <Badge tone="verdigris">{t('sessions.here')}</Badge>
      ) : (
        <Button size="sm" aria-label={t('sessions.endOf', { device })} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
