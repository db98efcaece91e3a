import { CarillonError, type Connection, type PlatformInfo } from '@carillon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { connectWithFields } from '../api/integrations.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel } from './account-label.ts'
import { ConnectFields } from './connect-fields.tsx'
import { ConnectProblem } from './connect-problem.tsx'
import { useStartConnect } from './use-start-connect.ts'

type ConnectDialogProps = { info: PlatformInfo; connection?: Connection; onClose: () => void }

/** Asks for the server of an account, or for the fields with which Carillon signs in on the platform. */
export function ConnectDialog({ info, connection, onClose }: ConnectDialogProps) {
  const { t } = useTranslation('connections')
  const { id: workspaceId, name: workspace } = useWorkspace()
  const queryClient = useQueryClient()
  const [values, setValues] = useState<Record<string, string>>(() => startValues(info, connection))
  const byFields = useMutation({
    mutationFn: () => connectWithFields(workspaceId, targetOf(info, values, connection), fieldsOf(info, values)),
    async onSuccess({ displayName: name }) {
      await queryClient.invalidateQueries({ queryKey: ['workspaces.connections', workspaceId] })
      showToast({ title: t('connected', { name }) })
      onClose()
    },
  })
  const byConsent = useStartConnect()
  const isByFields = info.connect.method === 'password'
  const { error, isPending } = isByFields ? byFields : byConsent
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isByFields) byFields.mutate()
    else byConsent.mutate(targetOf(info, values, connection))
  }
  const fieldErrors = fieldErrorsOf(error)
  const title = connection
    ? t('reconnectTitle', { account: accountLabel(connection) })
    : t('connectTitle', { platform: info.name })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={t('connectIntro', { workspace, platform: info.name })}
      closeLabel={t('close')}
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && Object.keys(fieldErrors).length === 0 && <ConnectProblem error={error} info={info} />}
        <ConnectFields
          info={info}
          values={values}
          errors={fieldErrors}
          onChange={setValues}
          isRenewal={connection !== undefined}
        />
        <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={isPending || byConsent.isSuccess}>
            {isByFields ? t('connect') : t('continueAt', { platform: info.name })}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** The account of a renewal is known: its name stands in the first field that is not secret. */
function startValues({ connect }: PlatformInfo, connection?: Connection): Record<string, string> {
  const first = connect.fields.find(({ secret, optional }) => !secret && !optional)
  if (!connection) return {}
  return { ...(first && { [first.name]: connection.handle }), instanceUrl: connection.instanceUrl ?? '' }
}

function targetOf(info: PlatformInfo, { instanceUrl = '' }: Record<string, string>, connection?: Connection) {
  return {
    platform: info.platform,
    ...(instanceUrl.trim() !== '' && { instanceUrl: instanceUrl.trim() }),
    ...(connection && { connectionId: connection.id }),
  }
}

function fieldsOf({ connect }: PlatformInfo, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(connect.fields.map(({ name }) => [name, (values[name] ?? '').trim()]))
}

/** What the server says about single fields: `instanceUrl`, `fields.password`. */
function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof CarillonError)) return {}
  return Object.fromEntries(error.details.map(({ path, message }) => [path.replace(/^fields\./, ''), message]))
}
