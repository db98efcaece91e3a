import { CarillonError, type Connection, type Report } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Link2Off } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { platformsList, reportsList, workspacesConnections } from '../api/queries.gen.ts'
import { accountNames } from '../connections/account-label.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { asLanguage, labelOf, languages, localeOf } from '../i18n/language.ts'
import { useLabels } from '../labels/use-labels.ts'
import { DayField } from '../schedule/day-field.tsx'
import { formatDay, formatTime } from '../time/format-time.ts'
import { lastDays } from '../time/last-days.ts'
import { todayIn } from '../time/zoned-day.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Select } from '../ui/form/select.tsx'
import { Notice } from '../ui/notice.tsx'
import { actionsLook, Dialog } from '../ui/overlay/dialog.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const dayMs = 86_400_000
const lifetimes = ['7', '30', '90', '365'] as const

type Preset = { from: string; to: string; label?: string }
type ReportDialogProps = { preset: Preset; onClose: () => void }

/** A page for a client without an account: choosing what it shows, its link, and the reports that there are. */
export function ReportDialog({ preset, onClose }: ReportDialogProps) {
  const { t } = useTranslation('reports')
  const { t: shell } = useTranslation('shell')
  const [made, setMade] = useState<Report | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      description={t('text')}
      closeLabel={shell('close')}
      size="md"
    >
      {made ? (
        <MadeReport report={made} onMore={() => setMade(null)} onClose={onClose} />
      ) : (
        <ReportForm preset={preset} onMade={setMade} onClose={onClose} />
      )}
      <ReportList exceptId={made?.id} />
    </Dialog>
  )
}

function ReportForm({ preset, onMade, onClose }: ReportDialogProps & { onMade: (report: Report) => void }) {
  const { t, i18n } = useTranslation('reports')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId, timezone } = useWorkspace()
  const { labels } = useLabels()
  const { data: accounts = [] } = useQuery(workspacesConnections(workspaceId))
  const [title, setTitle] = useState('')
  const [from, setFrom] = useState(preset.from)
  const today = todayIn(timezone)
  // The page counts in UTC, where today may be another day than in the workspace.
  const [to, setTo] = useState(preset.to === lastDays(1).to ? today : preset.to)
  const [label, setLabel] = useState(preset.label ?? 'any')
  const [only, setOnly] = useState<readonly string[] | null>(null)
  const [language, setLanguage] = useState(asLanguage(i18n.language))
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('90')
  const { mutate, isPending, error } = useChange({
    run: () =>
      carillon.reports.create(workspaceId, {
        title: title.trim(),
        from,
        to,
        language,
        ...(label !== 'any' && { label }),
        ...(only && { connections: [...only] }),
        expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
      }),
    affects: () => [['reports.list', workspaceId]],
    onDone: onMade,
    showsErrors: false,
  })
  const isBackward = from !== '' && to !== '' && from > to
  const isUnfinished = from === '' || to === '' || isBackward || only?.length === 0
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isUnfinished) mutate(undefined)
  }
  const errorOf = (path: string) =>
    error instanceof CarillonError ? (error.details.find((detail) => detail.path === path)?.message ?? null) : null
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error && <ErrorNotice error={error} />}
      <Field label={t('name')} hint={t('nameHint')} error={errorOf('title')}>
        <Input value={title} onChange={(event) => setTitle(event.target.value)} required maxLength={120} autoComplete="off" />
      </Field>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <DayField label={t('from')} value={from} onChange={setFrom} zone={timezone} past={{ to: today }} />
        <DayField
          label={t('to')}
          value={to}
          onChange={setTo}
          zone={timezone}
          past={{ to: today }}
          error={isBackward ? t('backward') : errorOf('to')}
        />
      </div>
      {labels.length > 0 && (
        <Field label={t('label')}>
          <Select
            value={label}
            onChange={setLabel}
            options={[{ value: 'any', label: t('anyLabel') }, ...labels.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        </Field>
      )}
      {accounts.length > 1 && <AccountChoice accounts={accounts} only={only} onChange={setOnly} />}
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Field label={t('language')}>
          <Select
            value={language}
            onChange={setLanguage}
            options={languages.map((value) => ({ value, label: labelOf(value) }))}
          />
        </Field>
        <Field label={t('lifetime')}>
          <Select
            value={lifetime}
            onChange={setLifetime}
            options={lifetimes.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
          />
        </Field>
      </div>
      <div className={actionsLook}>
        <Button onClick={onClose}>{shell('cancel')}</Button>
        <Button type="submit" variant="primary" isBusy={isPending} disabled={isUnfinished}>
          {t('make')}
        </Button>
      </div>
    </Form>
  )
}

type AccountChoiceProps = {
  accounts: readonly Connection[]
  /** The ids of those that are chosen; null: all of them. */
  only: readonly string[] | null
  onChange: (only: readonly string[] | null) => void
}

function AccountChoice({ accounts, only, onChange }: AccountChoiceProps) {
  const { t } = useTranslation('reports')
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const names = accountNames(accounts)
  const platformName = (wanted: string) => platforms.find(({ platform }) => platform === wanted)?.name ?? wanted
  return (
    <>
      <Checkbox label={t('someAccounts')} checked={only !== null} onChange={(isSome) => onChange(isSome ? [] : null)} />
      {only !== null && (
        <ul aria-label={t('accounts')} className="ml-2.5 grid gap-x-4 gap-y-2 border-l border-line pl-5 sm:grid-cols-2">
          {accounts.map(({ id, slug, platform }) => (
            <li key={id}>
              <Checkbox
                label={names.get(id) ?? slug}
                note={platformName(platform)}
                checked={only.includes(id)}
                onChange={(isChosen) => onChange(isChosen ? [...only, id] : only.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      {only?.length === 0 && <p className="ml-7.5 text-sm font-medium text-rust">{t('noAccount')}</p>}
    </>
  )
}

type MadeReportProps = { report: Report; onMore: () => void; onClose: () => void }

function MadeReport({ report, onMore, onClose }: MadeReportProps) {
  const { t } = useTranslation('reports')
  const { t: shell } = useTranslation('shell')
  const until = formatTime(report.expiresAt, 'dayAndTime', useTimeStyle())
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="done" title={t('made', { title: report.title })}>
        <p>{t('madeText', { until })}</p>
      </Notice>
      <CopyText label={report.title} text={report.link} copyLabel={t('copy')} copiedLabel={t('copied')} />
      <div className={actionsLook}>
        <Button onClick={onMore}>{t('another')}</Button>
        <OpenReport report={report} />
        <Button variant="primary" onClick={onClose}>
          {shell('close')}
        </Button>
      </div>
    </div>
  )
}

function OpenReport({ report, size }: { report: Report; size?: 'sm' }) {
  const { t } = useTranslation('reports')
  return (
    <a href={report.link} target="_blank" rel="noreferrer" className={buttonLook({ ...(size && { size }) })}>
      <ExternalLink aria-hidden />
      {t('open')}
      <span className="sr-only">{report.title}</span>
    </a>
  )
}

/** The reports of the workspace, also those of other members. */
function ReportList({ exceptId }: { exceptId: string | undefined }) {
  const { t, i18n } = useTranslation('reports')
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const { data = [] } = useQuery(reportsList(workspaceId))
  const { mutate: end, isPending } = useChange({
    run: (id: string) => carillon.reports.remove(workspaceId, id),
    affects: () => [['reports.list', workspaceId]],
    done: () => ({ title: t('ended') }),
  })
  const [openedAtMs] = useState(() => Date.now())
  const shown = data.filter(({ id }) => id !== exceptId)
  if (shown.length === 0) return null
  const day = (text: string) => formatDay(text, 'dayOfYear', localeOf(i18n.language))
  return (
    <section aria-labelledby="reports-title" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 id="reports-title" className="text-sm font-medium">
        {t('list')}
      </h3>
      <ul className="flex flex-col gap-4">
        {shown.map((report) => (
          <li key={report.id} className="flex min-w-0 flex-col gap-2">
            <span className="min-w-0 text-sm">
              <span className="font-medium break-words">{report.title}</span>
              <span className="block text-quiet">
                {`${day(report.from)} – ${day(report.to)}`}
                {' · '}
                {Date.parse(report.expiresAt) > openedAtMs
                  ? t('until', { until: formatTime(report.expiresAt, 'dayAndTime', style) })
                  : t('expired')}
              </span>
            </span>
            {Date.parse(report.expiresAt) > openedAtMs && (
              <CopyText label={report.title} text={report.link} copyLabel={t('copy')} copiedLabel={t('copied')} />
            )}
            <span className="flex flex-wrap gap-2">
              {Date.parse(report.expiresAt) > openedAtMs && <OpenReport report={report} size="sm" />}
              <Button size="sm" icon={<Link2Off aria-hidden />} disabled={isPending} onClick={() => end(report.id)}>
                {t('end')}
                <span className="sr-only">{report.title}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
