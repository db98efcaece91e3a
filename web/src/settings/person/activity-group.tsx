import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountActivity } from '../../api/account.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import type words from '../../i18n/en/settings.json'
import { browserZone, formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { SettingGroup } from '../setting-group.tsx'
import { deviceName } from './device-name.ts'

type ActionWord = keyof (typeof words)['activity']['actions']

const shownAtFirst = 5

/** What happened to the account: a person sees here what was not them. */
export function ActivityGroup() {
  const { t } = useTranslation('settings')
  const { data = [], error, refetch } = useQuery(accountActivity())
  const [isAll, setIsAll] = useState(false)
  const style = { ...useTimeStyle(), zone: browserZone() }
  const say = (action: string) => t(`activity.actions.${action.replace('.', '_') as ActionWord}`, { defaultValue: action })
  return (
    <SettingGroup title={t('activity.title')} description={t('activity.text')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ul aria-label={t('activity.title')} className="flex flex-col">
        {data.slice(0, isAll ? undefined : shownAtFirst).map(({ id, at, action, userAgent, ipAddress }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2 last:border-b-0">
            <span>{say(action)}</span>
            <span className="figures text-sm text-quiet">
              {[deviceName(userAgent ?? ''), ipAddress, formatTime(at, 'dayAndTime', style)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {!isAll && data.length > shownAtFirst && (
        <Button size="sm" className="self-start" onClick={() => setIsAll(true)}>
          {t('activity.all')}
        </Button>
      )}
    </SettingGroup>
  )
}
