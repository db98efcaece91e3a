import type { Workspace } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'

const minutesAtFirst = 60
const approvalRules: readonly Workspace['approval'][] = ['none', 'programs', 'editors']

export function WorkspaceForm({ workspace, canChange }: { workspace: Workspace; canChange: boolean }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const [late, setLate] = useState<'publish' | 'hold'>(workspace.holdIfLateMinutes === null ? 'publish' : 'hold')
  const [approval, setApproval] = useState(workspace.approval)
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '', timezone = '', minutes }) =>
      carillon.workspaces.update(workspace.id, {
        name: name.trim(),
        timezone: timezone.trim(),
        holdIfLateMinutes: late === 'hold' ? Number(minutes) : null,
        approval,
      }),
    () => {
      void queryClient.invalidateQueries({ queryKey: ['workspaces.list'] })
      showToast({ title: t('saved') })
    },
  )
  return (
    <Form onSubmit={onSubmit} className="flex max-w-xl flex-col gap-5">
      {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
      <Field label={t('workspace.name')} error={fieldErrors['name']}>
        <Input name="name" defaultValue={workspace.name} required maxLength={100} disabled={!canChange} />
      </Field>
      <ZoneField
        label={t('workspace.zone')}
        hint={t('workspace.zoneHint')}
        defaultValue={workspace.timezone}
        error={fieldErrors['timezone']}
        disabled={!canChange}
      />
      <fieldset disabled={!canChange} className="flex flex-col gap-2">
        <legend className="text-sm font-medium">{t('workspace.late')}</legend>
        <p className="text-sm text-quiet">{t('workspace.lateHint')}</p>
        <RadioGroup
          label={t('workspace.late')}
          value={late}
          onChange={setLate}
          choices={[
            { value: 'publish', label: t('workspace.latePublish'), disabled: !canChange },
            { value: 'hold', label: t('workspace.lateHold'), note: t('workspace.lateHoldNote'), disabled: !canChange },
          ]}
        />
        {late === 'hold' && (
          <Field label={t('workspace.minutes')} error={fieldErrors['holdIfLateMinutes']} className="max-w-48 pl-7">
            <Input
              name="minutes"
              type="number"
              min={1}
              max={525_600}
              required
              className="figures"
              defaultValue={workspace.holdIfLateMinutes ?? minutesAtFirst}
            />
          </Field>
        )}
      </fieldset>
      <fieldset disabled={!canChange} className="flex flex-col gap-2">
        <legend className="text-sm font-medium">{t('workspace.approval')}</legend>
        <p className="text-sm text-quiet">{t('workspace.approvalHint')}</p>
        <RadioGroup
          label={t('workspace.approval')}
          value={approval}
          onChange={setApproval}
          choices={approvalRules.map((rule) => ({
            value: rule,
            label: t(`workspace.approvalOf.${rule}`),
            disabled: !canChange,
          }))}
        />
      </fieldset>
      {canChange && (
        <Button type="submit" variant="primary" isBusy={isPending} className="self-start">
          {t('save')}
        </Button>
      )}
    </Form>
  )
}
