import { CarillonError, type ConnectLink, type Connection, type PlatformInfo } from '@carillon/sdk'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Select } from '../ui/form/select.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel } from './account-label.ts'

type NewLinkProps = { connections: readonly Connection[]; platforms: readonly PlatformInfo[]; onClose: () => void }

/** Makes a link, then shows it once. */
export function NewLinkDialog({ connections, platforms, onClose }: NewLinkProps) {
  const { t } = useTranslation('connections')
  const [made, setMade] = useState<ConnectLink | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={made ? t('links.made.title') : t('links.make')}
      closeLabel={t('close')}
      size="md"
    >
      {made ? (
        <MadeLink link={made} onClose={onClose} />
      ) : (
        <LinkForm connections={connections} platforms={platforms} onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  )
}

const lifetimes = ['1', '7', '14', '30'] as const
type Lifetime = (typeof lifetimes)[number]
type Chosen = PlatformInfo['platform']

function LinkForm({ connections, platforms, onMade, onClose }: NewLinkProps & { onMade: (link: ConnectLink) => void }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId, returnOrigins = [] } = useWorkspace()
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [connectionId, setConnectionId] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('7')
  const [externalId, setExternalId] = useState('')
  const [returnUrl, setReturnUrl] = useState('')
  const isNew = connectionId === ''
  const { mutate, isPending, error } = useChange({
    run: () =>
      carillon.connectLinks.create(
        {
          ...(isNew ? { platforms: [...chosen] } : { connectionId }),
          expiresInDays: Number(lifetime),
          ...(isNew && externalId.trim() !== '' && { externalId: externalId.trim() }),
          ...(returnUrl.trim() !== '' && { returnUrl: returnUrl.trim() }),
        },
        { workspaceId },
      ),
    affects: () => [['connectLinks.list', workspaceId]],
    onDone: onMade,
    showsErrors: false,
  })
  const lacksPlatform = isNew && chosen.length === 0
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!lacksPlatform) mutate()
  }
  const nameOf = (platform: string) => platforms.find((each) => each.platform === platform)?.name ?? platform
  const isAboutUrl = error instanceof CarillonError && error.code === 'return_url_refused'
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-5">
      {error && !isAboutUrl && <ErrorNotice error={error} />}
      {connections.length > 0 && (
        <Field label={t('links.form.what')}>
          <Select
            options={[
              { value: '', label: t('links.form.newAccount') },
              ...connections.map((each) => ({
                value: each.id,
                label: t('links.again', { platform: `${accountLabel(each)} (${nameOf(each.platform)})` }),
              })),
            ]}
            value={connectionId}
            onChange={setConnectionId}
          />
        </Field>
      )}
      {isNew && (
        <fieldset className="flex min-w-0 flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t('links.form.platforms')}</legend>
          <ul className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3">
            {platforms
              .filter(({ connect }) => connect.available)
              .map(({ platform, name }) => (
                <li key={platform}>
                  <Checkbox
                    label={name}
                    checked={chosen.includes(platform)}
                    onChange={(isChosen) =>
                      setChosen(isChosen ? [...chosen, platform] : chosen.filter((each) => each !== platform))
                    }
                  />
                </li>
              ))}
          </ul>
        </fieldset>
      )}
      <Field label={t('links.form.lifetime')}>
        <Select
          options={lifetimes.map((value) => ({ value, label: t('links.form.days', { count: Number(value) }) }))}
          value={lifetime}
          onChange={setLifetime}
        />
      </Field>
      {isNew && (
        <Field label={t('links.form.externalId')} hint={t('links.form.externalIdHint')} aside={t('optional')}>
          <Input value={externalId} onChange={(event) => setExternalId(event.target.value)} maxLength={128} autoComplete="off" />
        </Field>
      )}
      {returnOrigins.length > 0 && (
        <Field
          label={t('links.form.returnUrl')}
          hint={t('links.form.returnUrlHint', { origins: returnOrigins.join(', ') })}
          aside={t('optional')}
          error={isAboutUrl ? error.details.map(({ message }) => message).join(' ') : undefined}
        >
          <Input
            value={returnUrl}
            onChange={(event) => setReturnUrl(event.target.value)}
            maxLength={1000}
            autoComplete="off"
            inputMode="url"
          />
        </Field>
      )}
      <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isBusy={isPending} disabled={lacksPlatform}>
          {t('links.form.submit')}
        </Button>
      </div>
    </Form>
  )
}

/** The address. The server has only its hash, so it cannot be shown again. */
function MadeLink({ link: { url = '', returnSecret }, onClose }: { link: ConnectLink; onClose: () => void }) {
  const { t } = useTranslation('connections')
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="warning" title={t('links.made.once')}>
        {t('links.made.give')}
      </Notice>
      <CopyText label={t('links.made.link')} text={url} copyLabel={t('copy')} copiedLabel={t('copied')} />
      {returnSecret !== undefined && (
        <div className="flex flex-col gap-1.5">
          <p className="text-sm text-quiet">{t('links.made.secret')}</p>
          <CopyText label={t('links.made.secretName')} text={returnSecret} copyLabel={t('copy')} copiedLabel={t('copied')} />
        </div>
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {t('links.made.close')}
        </Button>
      </div>
    </div>
  )
}
