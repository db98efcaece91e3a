import { CarillonError, type Connection, type PlatformInfo } from '@carillon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { connectWithFields } from '../api/integrations.ts'
import { describeError } from '../errors/describe-error.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { PasswordInput } from '../ui/form/password-input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel } from './account-label.ts'
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

/** Why a form could not connect the account: why the platform refused it, and what to do. */
function ConnectProblem({ error, info }: { error: unknown; info: PlatformInfo }) {
  const { t } = useTranslation('connections')
  const { t: tError } = useTranslation('errors')
  const { code, title, sentence } = describeError(error, tError)
  const isRefused = code === 'connect_refused'
  return (
    <Notice kind="problem" title={isRefused ? t('failure.refusedTitle', { platform: info.name }) : title}>
      <p>{sentence}</p>
      {isRefused && <p className="mt-1">{t('failure.checkFields')}</p>}
    </Notice>
  )
}

type KnownField =
  | 'identifier'
  | 'username'
  | 'password'
  | 'accountPassword'
  | 'community'
  | 'botToken'
  | 'chat'
  | 'secret'
  | 'adminKey'
  | 'apiKey'
  | 'secretKey'
  | 'relays'
  | 'mediaServer'
type HintedField =
  | 'accountPassword'
  | 'community'
  | 'botToken'
  | 'chat'
  | 'secret'
  | 'adminKey'
  | 'secretKey'
  | 'relays'
  | 'mediaServer'
type Values = Readonly<Record<string, string>>

type ConnectFieldsProps = {
  info: PlatformInfo
  values: Values
  errors: Values
  onChange: (values: Record<string, string>) => void
  /** The account and its server are known. */
  isRenewal: boolean
}

/** The fields that the platform names itself, and the address of the server where accounts live on many. */
function ConnectFields({ info, values, errors, onChange, isRenewal }: ConnectFieldsProps) {
  const { t } = useTranslation('connections')
  const { fields, instance } = info.connect
  // The labels of the platforms are English; a field that has no words here keeps its own.
  const labelOf = (name: string, label: string) => t(`fields.${name as KnownField}`, { defaultValue: label })
  const hintOf = (name: string, secret: boolean) =>
    t(`hints.${name as HintedField}`, { defaultValue: secret ? t('secretHint', { platform: info.name }) : '' })
  const bind = (name: string) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: { target: { value: string } }) => onChange({ ...values, [name]: event.target.value }),
  })
  return (
    <>
      {fields.map(({ name, label, secret, optional = false }) => (
        <Field
          key={name}
          label={labelOf(name, label)}
          error={errors[name]}
          {...(hintOf(name, secret) !== '' && { hint: hintOf(name, secret) })}
          {...(optional && { aside: t('optional') })}
        >
          {secret ? (
            <PasswordInput {...bind(name)} required={!optional} autoComplete="off" showLabel={t('show')} hideLabel={t('hide')} />
          ) : (
            <Input {...bind(name)} required={!optional} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          )}
        </Field>
      ))}
      {instance !== 'none' && !isRenewal && (
        <Field
          label={t('server')}
          hint={instance === 'required' ? t('serverHint') : t('serverOptionalHint', { platform: info.name })}
          error={errors['instanceUrl']}
          {...(instance === 'optional' && { aside: t('optional') })}
        >
          <Input
            {...bind('instanceUrl')}
            required={instance === 'required'}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="social.example"
          />
        </Field>
      )}
    </>
  )
}
