import type { AuditEntry } from '@carillon/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  queuesList,
  webhooksList,
  workspacesApiKeys,
  workspacesAuditPages,
  workspacesConnections,
  workspacesMembers,
} from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import type words from '../../i18n/en/settings.json'
import { DayField } from '../../schedule/day-field.tsx'
import { formatTime } from '../../time/format-time.ts'
import { isDay, spanOfDays, todayIn } from '../../time/zoned-day.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'

/** Who changed what, and when. */
export function AuditSection() {
  const { t } = useTranslation('settings')
  const { isAdmin } = useAccess()
  return isAdmin ? <AuditLog /> : <Notice title={t('audit.onlyAdmins')} />
}

function AuditLog() {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { zone } = useTimeStyle()
  const { action, person, from, to } = useSearch({ strict: false })
  const search: AuditSearch = {
    ...(action !== undefined && { action }),
    ...(person !== undefined && { person }),
    // An address may hold anything.
    ...(from !== undefined && isDay(from) && { from }),
    ...(to !== undefined && isDay(to) && { to }),
  }
  const navigate = useNavigate()
  const change = (part: Partial<AuditSearch>) =>
    void navigate({
      to: '/w/$workspaceId/settings/$section',
      params: { workspaceId, section: 'audit' },
      search: Object.fromEntries(Object.entries({ ...search, ...part }).filter(([, value]) => value !== '')),
      replace: true,
      resetScroll: false,
    })
  const query = useInfiniteQuery(
    workspacesAuditPages(workspaceId, {
      ...(action !== undefined && { action }),
      ...(person !== undefined && { userId: person }),
      // The server takes a day for one of UTC; a person means a day of the workspace.
      ...(search.from !== undefined && { from: spanOfDays(zone, [search.from]).from }),
      ...(search.to !== undefined && { to: spanOfDays(zone, [search.to]).to }),
    }),
  )
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <p className="max-w-[68ch] text-quiet">{t('audit.text')}</p>
      <AuditFilters search={search} onChange={change} />
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <SkeletonLines label={t('loading')} count={6} />}
      {query.isSuccess && entries.length === 0 && (
        <EmptyState
          title={t('audit.empty')}
          actions={<Button onClick={() => change({ action: '', person: '', from: '', to: '' })}>{t('audit.showAll')}</Button>}
        />
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {query.hasNextPage && (
        <Button className="self-center" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('audit.more')}
        </Button>
      )}
    </>
  )
}

type AuditSearch = { action?: string; person?: string; from?: string; to?: string }

/** What a change can be about: the first word of its action. */
const subjects = [
  'post',
  'media',
  'connection',
  'member',
  'invitation',
  'queue',
  'api_key',
  'webhook',
  'label',
  'note',
  'import',
  'calendar_feed',
  'workspace',
] as const

type AuditFiltersProps = { search: AuditSearch; onChange: (part: Partial<AuditSearch>) => void }

function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const { zone } = useTimeStyle()
  const { data: members = [] } = useQuery(workspacesMembers(workspaceId))
  const setOrClear = (value: string) => (value === 'all' ? '' : value)
  return (
    <search className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <Field label={t('audit.subject')}>
        <Select<string>
          value={search.action ?? 'all'}
          onChange={(action) => onChange({ action: setOrClear(action) })}
          options={[
            { value: 'all', label: t('audit.allSubjects') },
            ...subjects.map((subject) => ({ value: subject, label: t(`audit.subjects.${subject}`) })),
          ]}
        />
      </Field>
      <Field label={t('audit.person')}>
        <Select<string>
          value={search.person ?? 'all'}
          onChange={(person) => onChange({ person: setOrClear(person) })}
          options={[
            { value: 'all', label: t('audit.everybody') },
            ...members.map(({ userId, name, email }) => ({ value: userId, label: name || email })),
          ]}
        />
      </Field>
      <DayField
        label={t('audit.from')}
        value={search.from ?? ''}
        zone={zone}
        past={{ to: search.to ?? todayIn(zone) }}
        onChange={(from) => onChange({ from })}
      />
      <DayField
        label={t('audit.to')}
        value={search.to ?? ''}
        zone={zone}
        past={{ from: search.from, to: todayIn(zone) }}
        onChange={(to) => onChange({ to })}
      />
    </search>
  )
}

type ActionWord = keyof (typeof words)['audit']['actions']

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation('settings')
  const style = useTimeStyle()
  // A newer server may record what this page has no words for; then its code is shown.
  const say = (action: string) => t(`audit.actions.${action.replace('.', '_') as ActionWord}`, { defaultValue: action })
  return (
    <Table label={t('sections.audit')}>
      <thead>
        <tr>
          <HeadCell>{t('audit.when')}</HeadCell>
          <HeadCell>{t('audit.who')}</HeadCell>
          <HeadCell>{t('audit.what')}</HeadCell>
          <HeadCell>{t('audit.subject')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, userId, email, apiKeyId, client, action, subjectId }) => (
          <tr key={id}>
            <Cell className="figures whitespace-nowrap">{formatTime(at, 'dayAndTime', style)}</Cell>
            <Cell className="whitespace-nowrap">
              {email ?? t(userId === null ? 'audit.platform' : 'audit.formerMember')}{' '}
              {apiKeyId !== null && <KeyBadge apiKeyId={apiKeyId} />}
              {client !== null && <Badge>{t('audit.byProgram', { name: client.name })}</Badge>}
            </Cell>
            <Cell className="whitespace-nowrap">{say(action)}</Cell>
            <Cell>{subjectId !== null && <Subject action={action} subjectId={subjectId} />}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** With which key it was done, while the workspace has it. */
function KeyBadge({ apiKeyId }: { apiKeyId: string }) {
  const { t } = useTranslation('settings')
  const label = useName('api_key', apiKeyId)
  return <Badge>{label === undefined ? t('audit.byKey') : t('audit.byNamedKey', { label })}</Badge>
}

/** What was changed: a link where there is a page of it, a name where the workspace still knows one, and otherwise its id. */
function Subject({ action, subjectId }: { action: string; subjectId: string }) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const [kind = '', verb] = action.split('.')
  const name = useName(kind, subjectId)
  if (kind === 'post' && verb !== 'delete')
    return (
      <Link to="/w/$workspaceId/posts/$postId" params={{ workspaceId, postId: subjectId }} className="whitespace-nowrap">
        {t('audit.showPost')}
      </Link>
    )
  if (kind === 'media' && (verb === 'upload' || verb === 'update' || verb === 'fetch' || verb === 'complete_upload'))
    return (
      <Link to="/w/$workspaceId/media" params={{ workspaceId }} search={{ item: subjectId }} className="whitespace-nowrap">
        {t('audit.showFile')}
      </Link>
    )
  const id = <span className="font-mono text-xs text-quiet">{subjectId}</span>
  if (name === undefined) return id
  // Two of these may have one name.
  return isNamedByPeople(kind) ? (
    <span className="flex flex-col">
      <span>{name}</span>
      {id}
    </span>
  ) : (
    <span>{name}</span>
  )
}

/** Whether people choose the names of these objects, so that two may have the same one. */
function isNamedByPeople(kind: string): boolean {
  return ['queue', 'api_key', 'webhook'].includes(kind)
}

/** The name of what an entry is about; `kind` is the first word of its action. Undefined for what the workspace no longer has. */
function useName(kind: string, id: string): string | undefined {
  const { workspaceId } = useAccess()
  const { data: connections = [] } = useQuery({ ...workspacesConnections(workspaceId), enabled: kind === 'connection' })
  const { data: members = [] } = useQuery({ ...workspacesMembers(workspaceId), enabled: kind === 'member' })
  const { data: queues = [] } = useQuery({ ...queuesList(workspaceId), enabled: kind === 'queue' })
  const { data: keys = [] } = useQuery({ ...workspacesApiKeys(workspaceId), enabled: kind === 'api_key' })
  const { data: webhooks = [] } = useQuery({ ...webhooksList(workspaceId), enabled: kind === 'webhook' })
  return (
    connections.find((each) => each.id === id)?.displayName ??
    members.find(({ userId }) => userId === id)?.email ??
    queues.find((each) => each.id === id)?.name ??
    keys.find((each) => each.id === id)?.label ??
    webhooks.find((each) => each.id === id)?.url
  )
}
