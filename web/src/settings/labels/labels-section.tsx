import type { Label } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { contentList, labelsList } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { LabelChip } from '../../labels/label-chip.tsx'
import { formatDay } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useMay } from '../../workspaces/use-may.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'
import { LabelDialog } from './label-dialog.tsx'

type Open = { kind: 'edit' | 'remove'; label: Label } | { kind: 'create' } | null

/** The labels and campaigns of the workspace. */
export function LabelsSection() {
  const { t } = useTranslation('labels')
  const { workspaceId } = useAccess()
  const mayWrite = useMay('editor')
  const { data: labels, error, refetch } = useQuery(labelsList(workspaceId))
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const addButton = mayWrite && (
    <Button
      variant={labels?.length === 0 ? 'primary' : 'secondary'}
      icon={<Plus aria-hidden />}
      onClick={() => setOpen({ kind: 'create' })}
    >
      {t('create')}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[68ch] text-quiet">{t('text')}</p>
        {labels && labels.length > 0 && addButton}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!labels && !error && <SkeletonLines label={t('loading')} />}
      {labels?.length === 0 && (
        <EmptyState icon={<Tag aria-hidden />} title={t('empty')} actions={addButton}>
          {t('emptyHint')}
        </EmptyState>
      )}
      {labels && labels.length > 0 && (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line bg-surface">
          {labels.map((label) => (
            <LabelRow key={label.id} label={label} mayWrite={mayWrite} onOpen={(kind) => setOpen({ kind, label })} />
          ))}
        </ul>
      )}
      {open?.kind === 'create' && <LabelDialog onClose={close} />}
      {open?.kind === 'edit' && <LabelDialog label={open.label} onClose={close} />}
      {open?.kind === 'remove' && <RemoveLabel label={open.label} onClose={close} />}
    </>
  )
}

type LabelRowProps = { label: Label; mayWrite: boolean; onOpen: (kind: 'edit' | 'remove') => void }

function LabelRow({ label, mayWrite, onOpen }: LabelRowProps) {
  const { t } = useTranslation('labels')
  const { workspaceId } = useAccess()
  const { id, name } = label
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2 pr-2 pl-4">
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <LabelChip label={label} />
        <CampaignDays label={label} />
      </span>
      <Link to="/w/$workspaceId/posts" params={{ workspaceId }} search={{ label: id }} className="text-sm">
        {t('posts')}
      </Link>
      {mayWrite && (
        <span className="flex">
          <IconButton label={t('editNamed', { name })} icon={<Pencil aria-hidden />} onClick={() => onOpen('edit')} />
          <IconButton label={t('removeNamed', { name })} icon={<Trash2 aria-hidden />} onClick={() => onOpen('remove')} />
        </span>
      )}
    </li>
  )
}

function CampaignDays({ label: { kind, startsOn, endsOn } }: { label: Label }) {
  const { t } = useTranslation('labels')
  const { language } = useTimeStyle()
  if (kind === 'label') return null
  const write = (day: string) => formatDay(day, 'dayOfYear', language)
  const text =
    startsOn && endsOn
      ? `${write(startsOn)} – ${write(endsOn)}`
      : startsOn
        ? t('from', { day: write(startsOn) })
        : endsOn
          ? t('until', { day: write(endsOn) })
          : t('kinds.campaign')
  return <span className="figures text-sm text-quiet">{text}</span>
}

function RemoveLabel({ label: { id, name }, onClose }: { label: Label; onClose: () => void }) {
  const { t } = useTranslation('labels')
  const { t: shell } = useTranslation('shell')
  const { workspaceId } = useAccess()
  const { data: used } = useQuery(contentList(workspaceId, { label: id, archived: 'any', limit: 1 }))
  const { mutate, isPending } = useChange({
    run: () => carillon.labels.remove(id, { workspaceId }),
    affects: () => [
      ['labels.list', workspaceId],
      ['content.list', workspaceId],
      ['content.calendar', workspaceId],
      ['content.get', workspaceId],
    ],
    done: (_input: void, { posts }) => ({ title: t('removed', { count: posts }) }),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('removeTitle', { name })}
      description={t('removeText', { count: used?.meta.total ?? 0 })}
      cancelLabel={shell('cancel')}
      confirmLabel={t('remove')}
      isDangerous
      isBusy={isPending}
      onConfirm={() => mutate()}
    />
  )
}
