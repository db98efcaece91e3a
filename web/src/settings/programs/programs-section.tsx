import type { Grant } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Unplug } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { grantsList, meGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { localeOf } from '../../i18n/language.ts'
import { formatDistance } from '../../time/format-time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { useAccess } from '../use-access.ts'

/** The programs that act for the person in this workspace; for admins, for all its members. */
export function ProgramsSection() {
  const { t } = useTranslation('grants')
  const { workspaceId, isAdmin } = useAccess()
  const { data: grants, error, refetch } = useQuery(grantsList(workspaceId))
  const text = useRef<HTMLParagraphElement>(null)
  useFocusAfterRemoval(grants?.length ?? 0, text)
  return (
    <>
      <p ref={text} tabIndex={-1} className="max-w-[68ch] text-quiet outline-none">
        {t('text')} {isAdmin && t('textForAdmins')}
      </p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!grants && !error && <SkeletonLines label={t('loading')} />}
      {grants?.length === 0 && (
        <EmptyState icon={<Unplug aria-hidden />} title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      )}
      {grants && grants.length > 0 && (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line bg-surface">
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} />
          ))}
        </ul>
      )}
    </>
  )
}

function GrantRow({ grant }: { grant: Grant }) {
  const { t, i18n } = useTranslation('grants')
  const { data: me } = useQuery(meGet())
  const [nowMs] = useState(() => Date.now())
  const { client, rights, user, createdAt, lastUsedAt } = grant
  const distance = (at: string) => formatDistance(at, { nowMs, language: localeOf(i18n.language) })
  const facts = [
    t('connected', { when: distance(createdAt) }),
    lastUsedAt === null ? t('neverUsed') : t('lastUsed', { when: distance(lastUsedAt) }),
  ]
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:gap-4">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="font-semibold break-words">{client.name}</h3>
          {client.host !== null && <span className="text-sm break-all text-quiet">{client.host}</span>}
          <Badge>{t(`rights.${rights}`)}</Badge>
        </div>
        {user && user.userId !== me?.id && (
          <p className="text-sm break-words">{t('actsFor', { name: user.name, email: user.email })}</p>
        )}
        <p className="text-sm text-quiet">{facts.join(' · ')}</p>
      </div>
      <EndButton grant={grant} />
    </li>
  )
}

function EndButton({ grant: { id, client } }: { grant: Grant }) {
  const { t } = useTranslation('grants')
  const { t: shell } = useTranslation('shell')
  const { workspaceId } = useAccess()
  const [isAsking, setIsAsking] = useState(false)
  const { name } = client
  const { mutate, isPending } = useChange({
    run: () => carillon.grants.end(workspaceId, id),
    affects: () => [['grants.list', workspaceId]],
    done: () => ({ title: t('ended', { name }) }),
    onDone: () => setIsAsking(false),
  })
  return (
    <>
      <Button size="sm" className="self-start sm:self-center" onClick={() => setIsAsking(true)}>
        {t('end')}
        <span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('endTitle', { name })}
        description={t('endText')}
        cancelLabel={shell('cancel')}
        confirmLabel={t('end')}
        isBusy={isPending}
        onConfirm={() => mutate()}
      />
    </>
  )
}
