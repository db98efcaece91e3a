import type { Workspace } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { workspacesConnections, workspacesMembers } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { LinkRuleGroup } from './link-rule-group.tsx'
import { UsageGroup } from './usage-groups.tsx'

/** The name, the time zone, what happens to late posts, what links get, what is used, and the ways out. */
export function WorkspaceSection() {
  const { t } = useTranslation('settings')
  const { workspace, isAdmin, isOwner } = useAccess()
  return (
    <>
      {!isAdmin && <Notice title={t('onlyAdmins')} />}
      <WorkspaceForm key={workspace.id} workspace={workspace} canChange={isAdmin} />
      <LinkRuleGroup key={`links ${workspace.id}`} workspace={workspace} canChange={isAdmin} />
      {!workspace.hasPlans && <UsageGroup />}
      <LeaveGroup />
      {isOwner && <RemoveWorkspaceGroup />}
    </>
  )
}

/** Anybody can leave, except the only owner. */
function LeaveGroup() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspace, workspaceId } = useAccess()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending, error, reset } = useChange({
    run: () => carillon.workspaces.leave(workspaceId),
    affects: () => [],
    onDone: () => {
      queryClient.clear()
      location.assign('/')
    },
    showsErrors: false,
  })
  const open = () => {
    reset()
    setIsAsking(true)
  }
  return (
    <SettingGroup
      title={t('leave.title')}
      description={t('leave.text')}
      actions={<Button onClick={open}>{t('leave.open')}</Button>}
    >
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('leave.ask', { name: workspace.name })}
        description={t('leave.consequence')}
        cancelLabel={shell('cancel')}
        confirmLabel={t('leave.open')}
        isBusy={isPending}
        onConfirm={() => mutate(undefined)}
      >
        {error && <ErrorNotice error={error} />}
      </ConfirmDialog>
    </SettingGroup>
  )
}

/** Deletes the workspace. The person types its name, and sees what goes with it. */
function RemoveWorkspaceGroup() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspace, workspaceId } = useAccess()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [isMismatch, setIsMismatch] = useState(false)
  const { data: members = [] } = useQuery({ ...workspacesMembers(workspaceId), enabled: isAsking })
  const { data: connections = [] } = useQuery({ ...workspacesConnections(workspaceId), enabled: isAsking })
  const { mutate, isPending, error } = useChange({
    run: () => carillon.workspaces.remove(workspaceId),
    affects: () => [],
    onDone: () => {
      queryClient.clear()
      location.assign('/')
    },
    showsErrors: false,
  })
  const confirm = () => (typed.trim() === workspace.name ? mutate(undefined) : setIsMismatch(true))
  return (
    <SettingGroup
      title={t('removeWorkspace.title')}
      description={t('removeWorkspace.text')}
      actions={
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          {t('removeWorkspace.open')}
        </Button>
      }
    >
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('removeWorkspace.ask', { name: workspace.name })}
        description={t('removeWorkspace.consequence', { members: members.length, connections: connections.length })}
        cancelLabel={shell('cancel')}
        confirmLabel={t('removeWorkspace.confirm')}
        isBusy={isPending}
        onConfirm={confirm}
      >
        <Field
          label={t('removeWorkspace.type', { name: workspace.name })}
          error={isMismatch ? t('removeWorkspace.mismatch') : undefined}
        >
          <Input value={typed} autoComplete="off" onValueChange={(next: string) => setTyped(next)} />
        </Field>
        {error && <ErrorNotice error={error} />}
      </ConfirmDialog>
    </SettingGroup>
  )
}

const minutesAtFirst = 60
const approvalRules: readonly Workspace['approval'][] = ['none', 'agents', 'programs', 'editors', 'everyone']

function WorkspaceForm({ workspace, canChange }: { workspace: Workspace; canChange: boolean }) {
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
