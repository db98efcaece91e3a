import type { NoticeSettings } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { noticesSettings } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { ZoneField } from '../../schedule/zone-field.tsx'
import { formatTime } from '../../time/format-time.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { SettingGroup } from '../setting-group.tsx'

const groups = ['failures', 'connections', 'approvals'] as const
const choices = ['at_once', 'digest', 'off'] as const

/** What the person is mailed about. Each choice takes effect at once. */
export function NoticesSection() {
  const { t } = useTranslation('settings')
  const { data: settings, error, refetch } = useQuery(noticesSettings())
  const { mutate } = useChange({
    run: (change: Partial<Omit<NoticeSettings, 'canMail'>>) => carillon.notices.updateSettings(change),
    affects: () => [['notices.settings']],
    paint: (change) => ({
      key: ['notices.settings'],
      update: (shown) => (typeof shown === 'object' ? { ...shown, ...change } : shown),
    }),
    done: () => ({ title: t('saved') }),
  })
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!settings) return <SkeletonLines label={t('loading')} count={4} />
  return (
    <>
      <p className="max-w-[68ch] text-quiet">{t('notices.text')}</p>
      {!settings.canMail && <Notice title={t('notices.noMail')}>{t('notices.noMailText')}</Notice>}
      <SettingGroup title={t('notices.mail')}>
        <div className="flex max-w-xl flex-col gap-4">
          {groups.map((group) => (
            <Field key={group} label={t(`notices.${group}`)} hint={t(`notices.${group}Hint`)}>
              <Select
                value={settings[group]}
                onChange={(mail) => mutate({ [group]: mail })}
                options={choices.map((value) => ({ value, label: t(`notices.choice.${value}`) }))}
              />
            </Field>
          ))}
        </div>
      </SettingGroup>
      <SettingGroup title={t('notices.digest')} description={t('notices.digestHint')}>
        <div className="grid max-w-xl gap-4 sm:grid-cols-2">
          <Field label={t('notices.hour')}>
            <HourSelect hour={settings.digestHour} onChange={(digestHour) => mutate({ digestHour })} />
          </Field>
          <ZoneField
            label={t('notices.zone')}
            value={settings.timezone}
            onChange={(timezone) => timezone !== '' && mutate({ timezone })}
          />
        </div>
      </SettingGroup>
    </>
  )
}

function HourSelect({ hour, onChange }: { hour: number; onChange: (hour: number) => void }) {
  const style = useTimeStyle()
  const timeOf = (each: number) =>
    formatTime(`2027-01-01T${String(each).padStart(2, '0')}:00:00Z`, 'time', { ...style, zone: 'UTC' })
  return (
    <Select
      value={String(hour)}
      onChange={(next) => onChange(Number(next))}
      options={Array.from({ length: 24 }, (_each, value) => ({ value: String(value), label: timeOf(value) }))}
    />
  )
}
