import type { Label } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { ColorField } from '../../labels/color-field.tsx'
import { LabelChip } from '../../labels/label-chip.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { DayField } from '../../schedule/day-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { actionsLook, Dialog } from '../../ui/overlay/dialog.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'

/** The name, the colour and the days of a new label, or of this one. */
export function LabelDialog({ label, onClose }: { label?: Label; onClose: () => void }) {
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
