import type { Label } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { contentList, labelsList } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { ColorField } from '../../labels/color-field.tsx'
import { LabelChip } from '../../labels/label-chips.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { DayField } from '../../schedule/day-field.tsx'
import { formatDay } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Dialog, actionsLook } from '../../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useMay } from '../../workspaces/use-workspace.ts'
import { useAccess } from '../use-access.ts'

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

/** The name, the colour and the days of a new label, or of this one. */
function LabelDialog({ label, onClose }: { label?: Label; onClose: () => void }) {
  const { t } = useTranslation('labels')
  const { t: shell } = useTranslation('shell')
  const { workspaceId } = useAccess()
  const { zone } = useTimeStyle()
  const queryClient = useQueryClient()
  const [name, setName] = useState(label?.name ?? '')
  const [color, setColor] = useState(label?.color ?? 'blue')
  const [kind, setKind] = useState(label?.kind ?? 'label')
  const [startsOn, setStartsOn] = useState(label?.startsOn ?? '')
  const [endsOn, setEndsOn] = useState(label?.endsOn ?? '')
  const isCampaign = kind === 'campaign'
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    () => {
      const days = { startsOn: startsOn || null, endsOn: endsOn || null }
      const body = { name: name.trim(), color, kind, ...(isCampaign && days) }
      return label ? carillon.labels.update(label.id, body, { workspaceId }) : carillon.labels.create(body, { workspaceId })
    },
    () => {
      void queryClient.invalidateQueries({ queryKey: ['labels.list', workspaceId] })
      onClose()
    },
  )
  const title = t(label ? 'editTitle' : 'create')
  return (
    <Dialog open size="md" onOpenChange={(isOpen) => !isOpen && onClose()} title={title} closeLabel={shell('close')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
        <Field label={t('name')} error={fieldErrors['name']}>
          <Input name="name" value={name} onValueChange={setName} required maxLength={60} autoComplete="off" />
        </Field>
        <ColorField label={t('color')} value={color} onChange={setColor} />
        <RadioGroup
          label={t('kind')}
          value={kind}
          onChange={setKind}
          choices={[
            { value: 'label', label: t('kinds.label') },
            { value: 'campaign', label: t('kinds.campaign'), note: t('kinds.campaignNote') },
          ]}
        />
        {isCampaign && (
          <div className="grid grid-cols-2 gap-3">
            <DayField label={t('startsOn')} value={startsOn} onChange={setStartsOn} zone={zone} past={anyDay} />
            <DayField
              label={t('endsOn')}
              value={endsOn}
              onChange={setEndsOn}
              zone={zone}
              past={anyDay}
              error={fieldErrors['endsOn'] === undefined ? null : t('endsBefore')}
            />
          </div>
        )}
        <p className="flex items-center gap-2 text-sm text-quiet">
          {t('preview')} <LabelChip label={{ name: name.trim() || t('name'), color, kind }} />
        </p>
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={isPending}>
            {t(label ? 'save' : 'create')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** A campaign may lie in the past and in the future. */
const anyDay = {}
