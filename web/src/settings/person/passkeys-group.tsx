import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { account, accountPasskeys, type Passkey } from '../../api/account.ts'
import { addPasskey, canUsePasskeys } from '../../api/passkeys.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { localeOf } from '../../i18n/language.ts'
import { browserZone, formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** Signing in with the device instead of a password. People without a password must have signed in a short time ago to change it. */
export function PasskeysGroup({ needsPassword }: { needsPassword: boolean }) {
  const { t } = useTranslation('settings')
  const { data: passkeys = [], error, refetch } = useQuery(accountPasskeys())
  const [removed, setRemoved] = useState<Passkey | null>(null)
  return (
    <SettingGroup title={t('passkeys.title')} description={t('passkeys.text')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {passkeys.length > 0 && (
        <ul aria-label={t('passkeys.title')} className="rounded-card border border-line bg-surface">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoved(passkey)} />
          ))}
        </ul>
      )}
      {canUsePasskeys() ? (
        <AddPasskeyForm needsPassword={needsPassword} />
      ) : (
        <p className="text-quiet">{t('passkeys.unsupported')}</p>
      )}
      {removed && <RemovePasskey passkey={removed} needsPassword={needsPassword} onClose={() => setRemoved(null)} />}
    </SettingGroup>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { t, i18n } = useTranslation('settings')
  const name = passkey.name || t('passkeys.unnamed')
  const added = formatTime(passkey.createdAt, 'day', { zone: browserZone(), language: localeOf(i18n.language) })
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 pr-2 pl-4 last:border-b-0">
      <KeyRound aria-hidden className="size-[18px] shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-quiet">{t('passkeys.added', { added })}</p>
      </div>
      <IconButton label={t('passkeys.remove', { name })} icon={<Trash2 aria-hidden />} onClick={onRemove} />
    </li>
  )
}

/** The password is asked for before the device makes a passkey, so that a wrong one leaves none on the device. */
function AddPasskeyForm({ needsPassword }: { needsPassword: boolean }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const [named, setNamed] = useState<string | null>(null)
  const onAdded = () => {
    void queryClient.invalidateQueries({ queryKey: accountPasskeys().queryKey })
    showToast({ title: t('passkeys.done') })
    setNamed(null)
  }
  const { onSubmit, isPending, error } = useSubmit(
    async ({ name = '' }) => (needsPassword ? setNamed(name.trim()) : addPasskey({ name: name.trim() }).then(onAdded)),
    () => {},
  )
  return (
    <>
      <Form onSubmit={onSubmit} className="flex max-w-xl flex-col gap-3">
        {error && <ErrorNotice error={error} />}
        <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
          <Field label={t('passkeys.name')} className="flex-1">
            <Input name="name" required maxLength={100} placeholder={t('passkeys.example')} autoComplete="off" />
          </Field>
          <Button type="submit" isBusy={isPending}>
            {t('passkeys.add')}
          </Button>
        </div>
      </Form>
      {named !== null && (
        <PasswordDialog
          title={t('passkeys.add')}
          text={t('passkeys.addText')}
          submit={t('passkeys.continue')}
          run={(password) => addPasskey({ name: named, password })}
          onDone={onAdded}
          onClose={() => setNamed(null)}
        />
      )}
    </>
  )
}

function RemovePasskey({ passkey, needsPassword, onClose }: { passkey: Passkey; needsPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const name = passkey.name || t('passkeys.unnamed')
  const { mutate, isPending } = useChange({
    run: () => account.removePasskey({ id: passkey.id }),
    affects: () => [accountPasskeys().queryKey],
    done: () => ({ title: t('passkeys.removed', { name }) }),
    onDone: onClose,
  })
  return needsPassword ? (
    <PasswordDialog
      title={t('passkeys.askRemove', { name })}
      text={t('passkeys.removeConsequence')}
      submit={t('passkeys.confirmRemove')}
      run={(password) => account.removePasskey({ id: passkey.id, password })}
      onDone={() => {
        void queryClient.invalidateQueries({ queryKey: accountPasskeys().queryKey })
        showToast({ title: t('passkeys.removed', { name }) })
        onClose()
      }}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('passkeys.askRemove', { name })}
      description={t('passkeys.removeConsequence')}
      cancelLabel={shell('cancel')}
      confirmLabel={t('passkeys.confirmRemove')}
      isBusy={isPending}
      onConfirm={() => mutate(undefined)}
    />
  )
}
