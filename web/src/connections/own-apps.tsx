import { CarillonError, type DeveloperApp } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { developerAppsList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { localeOf } from '../i18n/language.ts'
import { formatTime } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PlatformMark } from './platform-mark.tsx'

type Named = { app: DeveloperApp; name: string }

/** Developer apps that the workspace brings itself, on the platforms that allow it. Only for admins. */
export function OwnApps({ nameOf }: { nameOf: (platform: string) => string }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { data: apps = [], error, refetch } = useQuery(developerAppsList(workspaceId))
  return (
    <section aria-labelledby="own-apps" className="flex flex-col gap-4">
      <div>
        <h2 id="own-apps" className="font-serif text-xl">
          {t('ownApps.title')}
        </h2>
        <p className="mt-1 max-w-[68ch] text-sm text-quiet">{t('ownApps.intro')}</p>
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {apps.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {apps.map((app) => (
            <AppRow key={app.platform} app={app} name={nameOf(app.platform)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function AppRow({ app, name }: Named) {
  const { t, i18n } = useTranslation('connections')
  const { timezone: zone } = useWorkspace()
  const [isEditing, setIsEditing] = useState(false)
  const { clientId, enteredAt, accounts } = app
  const facts = [
    ...(enteredAt === null
      ? []
      : [t('ownApps.since', { day: formatTime(enteredAt, 'day', { zone, language: localeOf(i18n.language) }) })]),
    ...(accounts === 0 ? [] : [t('ownApps.accounts', { count: accounts })]),
  ]
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:gap-4">
      <PlatformMark platform={app.platform} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className="font-semibold">{name}</h3>
        {clientId === null ? (
          <p className="text-sm text-quiet">{t('ownApps.none')}</p>
        ) : (
          <code className="font-mono text-sm wrap-anywhere">{clientId}</code>
        )}
        {facts.length > 0 && <p className="text-sm text-quiet">{facts.join(' · ')}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setIsEditing(true)}>
          {clientId === null ? t('ownApps.enter') : t('ownApps.replace')}
          <span className="sr-only"> {name}</span>
        </Button>
        {clientId !== null && <RemoveApp app={app} name={name} />}
      </div>
      {isEditing && <AppDialog app={app} name={name} onClose={() => setIsEditing(false)} />}
    </li>
  )
}

function RemoveApp({ app: { platform, accounts: count }, name }: Named) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending } = useChange({
    run: () => carillon.developerApps.remove(platform, { workspaceId }),
    affects: () => [['developerApps.list', workspaceId]],
    done: () => ({ title: t('ownApps.remove.done', { platform: name }) }),
    onDone: () => setIsAsking(false),
  })
  return (
    <>
      <Button size="sm" onClick={() => setIsAsking(true)}>
        {t('ownApps.remove.open')}
        <span className="sr-only"> {name}</span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('ownApps.remove.title', { platform: name })}
        description={t('ownApps.remove.what', { count })}
        cancelLabel={t('cancel')}
        confirmLabel={t('ownApps.remove.confirm')}
        isBusy={isPending}
        onConfirm={() => mutate()}
      />
    </>
  )
}

/** The way from the console of the platform to an id and a secret. */
function AppDialog({ app, name, onClose }: Named & { onClose: () => void }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const { mutate, isPending, error } = useChange({
    run: () => carillon.developerApps.save({ platform: app.platform, clientId, clientSecret }, { workspaceId }),
    affects: () => [['developerApps.list', workspaceId]],
    done: () => ({ title: t('ownApps.saved', { platform: name }) }),
    onDone: onClose,
    showsErrors: false,
  })
  const faultOf = (path: string) =>
    error instanceof CarillonError ? error.details.find((detail) => detail.path === path)?.message : undefined
  const isAboutFields = faultOf('clientId') !== undefined || faultOf('clientSecret') !== undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('ownApps.form.title', { platform: name })}
      closeLabel={t('close')}
      size="md"
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-5">
        {error && !isAboutFields && <ErrorNotice error={error} />}
        <p className="text-sm text-quiet">{t('ownApps.form.how', { platform: name })}</p>
        {app.portalUrl !== null && (
          <a
            href={app.portalUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 self-start text-sm text-bell"
          >
            {app.portalUrl.replace(/^https:\/\//, '')}
            <ExternalLink className="size-3.5 shrink-0" aria-hidden />
            <span className="sr-only">{t('newTab')}</span>
          </a>
        )}
        <CopyText label={t('redirectUri')} text={app.redirectUri} copyLabel={t('copy')} copiedLabel={t('copied')} />
        <Field label={t('ownApps.form.id')} error={faultOf('clientId')}>
          <Input
            value={clientId}
            onChange={(event) => setClientId(event.target.value)}
            required
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={t('ownApps.form.secret')} hint={t('ownApps.form.secretHint')} error={faultOf('clientSecret')}>
          <Input
            type="password"
            value={clientSecret}
            onChange={(event) => setClientSecret(event.target.value)}
            required
            maxLength={500}
            autoComplete="off"
          />
        </Field>
        <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={isPending}>
            {t('ownApps.form.submit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
