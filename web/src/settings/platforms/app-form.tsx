import type { AppField, Guide } from '@carillon/connectors/guide'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import {
  type AppCheck,
  type EnteredApp,
  type PlatformApp,
  type Verdict,
  checkPlatformApp,
  removePlatformApp,
  savePlatformApp,
} from '../../api/platform-apps.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { pickWords } from '../../i18n/language.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { GuideWords } from './guide-words.tsx'

const affects = () => [['operator.platforms'], ['platforms.list']]

type AppFormProps = { subject: PlatformApp; fields: NonNullable<Guide['app']>; name: string }

/** Id and secret of the developer app. The platform is asked about them before they are stored. */
export function AppForm(props: AppFormProps) {
  const { t } = useTranslation('platforms')
  const { subject, name } = props
  const [check, setCheck] = useState<AppCheck | null>(null)
  const ask = useMutation({ mutationFn: () => checkPlatformApp(subject.platform, null), onSuccess: setCheck })
  const isGiven = subject.app !== null && subject.app.source !== 'simulator'
  return (
    <>
      {subject.app?.source === 'environment' ? (
        <Notice title={t('form.environment')}>
          {t('form.environmentText', { setting: subject.setting, id: subject.app.clientId })}
        </Notice>
      ) : (
        <EnterForm key={subject.entered?.clientId ?? ''} {...props} onChecked={setCheck} />
      )}
      {ask.error && <ErrorNotice error={ask.error} />}
      {check && <CheckResult check={check} name={name} />}
      {isGiven && (
        <div className="flex flex-wrap gap-2">
          <Button isBusy={ask.isPending} onClick={() => ask.mutate()}>
            {t('form.check', { platform: name })}
          </Button>
          {subject.entered && <RemoveApp subject={subject} name={name} onRemoved={() => setCheck(null)} />}
        </div>
      )}
    </>
  )
}

function EnterForm({ subject, fields, name, onChecked }: AppFormProps & { onChecked: (check: AppCheck) => void }) {
  const { t } = useTranslation('platforms')
  const { platform, entered } = subject
  const [app, setApp] = useState<EnteredApp>({
    clientId: entered?.clientId ?? '',
    clientSecret: '',
    isVetted: entered?.isVetted ?? false,
  })
  const save = useChange({
    run: (given: EnteredApp) => savePlatformApp(platform, given),
    affects,
    done: () => ({ title: t('form.saved', { platform: name }) }),
    onDone: () => setApp((typed) => ({ ...typed, clientSecret: '' })),
    showsErrors: false,
  })
  // What the platform refuses is not stored: the app before it may work.
  const ask = useMutation({
    mutationFn: (given: EnteredApp) => checkPlatformApp(platform, given),
    onSuccess: (check, given) => {
      onChecked(check)
      if (check.app.outcome !== 'refused') save.mutate(given)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(app)
  }
  const isKept = entered !== null && entered.clientId === app.clientId.trim()
  const error = save.error ?? ask.error
  return (
    <Form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <p className="text-sm text-quiet">{subject.app?.source === 'simulator' ? t('form.simulated') : t('form.text')}</p>
      {error && <ErrorNotice error={error} />}
      <Field label={fields.id.name} hint={<Mistake field={fields.id} text={app.clientId} />}>
        <Input
          required
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={app.clientId}
          onChange={({ target }) => setApp({ ...app, clientId: target.value })}
        />
      </Field>
      <Field
        label={fields.secret.name}
        hint={isKept && app.clientSecret === '' ? t('form.keep') : <Mistake field={fields.secret} text={app.clientSecret} />}
      >
        <PasswordInput
          required={!isKept}
          maxLength={500}
          autoComplete="off"
          showLabel={t('form.show')}
          hideLabel={t('form.hide')}
          value={app.clientSecret}
          onChange={({ target }) => setApp({ ...app, clientSecret: target.value })}
        />
      </Field>
      {subject.canBeVetted && fields.vetted && (
        <Checkbox
          label={<GuideWords words={fields.vetted.label} />}
          note={<GuideWords words={fields.vetted.note} />}
          checked={app.isVetted}
          onChange={(isVetted) => setApp({ ...app, isVetted })}
        />
      )}
      <OtherApp subject={subject} clientId={app.clientId.trim()} name={name} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={entered ? 'secondary' : 'primary'} isBusy={ask.isPending || save.isPending}>
          {t('form.save')}
        </Button>
        {ask.data?.app.outcome === 'refused' && !save.isSuccess && (
          <Button isBusy={save.isPending} onClick={() => save.mutate(app)}>
            {t('form.saveAnyway')}
          </Button>
        )}
      </div>
    </Form>
  )
}

/** The classic mistakes have a form of their own. It is a hint, because a platform may change what its ids look like. */
function Mistake({ field, text }: { field: AppField; text: string }) {
  const { i18n } = useTranslation('platforms')
  const found = text.trim() === '' ? undefined : field.mistakes.find(({ pattern }) => pattern.test(text.trim()))
  return found && <span className="font-medium text-straw">{pickWords(found.words, i18n.language)}</span>
}

/** What another client id means for the accounts that are connected. It is said before anything is saved. */
function OtherApp({ subject: { app, uses }, clientId, name }: { subject: PlatformApp; clientId: string; name: string }) {
  const { t } = useTranslation('platforms')
  const others = uses.filter((use) => use.clientId !== clientId)
  const count = (isKnown: boolean) =>
    others.filter((use) => use.isKnown === isKnown).reduce((sum, { accounts }) => sum + accounts, 0)
  const [kept, lost] = [count(true), count(false)]
  if (clientId === '' || clientId === app?.clientId || kept + lost === 0) return null
  return (
    <Notice kind="warning" title={t('form.otherApp')}>
      {kept > 0 && <p>{t('form.kept', { count: kept, platform: name })}</p>}
      {lost > 0 && <p>{t('form.lost', { count: lost })}</p>}
    </Notice>
  )
}

function RemoveApp({ subject, name, onRemoved }: { subject: PlatformApp; name: string; onRemoved: () => void }) {
  const { t } = useTranslation('platforms')
  const [isAsking, setIsAsking] = useState(false)
  const remove = useChange({
    run: () => removePlatformApp(subject.platform),
    affects,
    done: () => ({ title: t('form.removed', { platform: name }) }),
    onDone: () => {
      setIsAsking(false)
      onRemoved()
    },
  })
  const count = subject.uses.filter(({ isKnown }) => isKnown).reduce((sum, { accounts }) => sum + accounts, 0)
  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        {t('form.remove')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('form.askRemove', { platform: name })}
        description={[t('form.removeText', { platform: name }), count > 0 && t('form.removeAccounts', { count })]
          .filter(Boolean)
          .join(' ')}
        cancelLabel={t('form.cancel')}
        confirmLabel={t('form.remove')}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
    </>
  )
}

const kinds = { accepted: 'done', refused: 'problem', unknown: 'info' } as const

/** What the platform said about the app, and no more than that. */
function CheckResult({ check: { app, redirect }, name }: { check: AppCheck; name: string }) {
  const { t } = useTranslation('platforms')
  return (
    <div className="flex flex-col gap-3">
      <Notice kind={kinds[app.outcome]} title={t(`check.${app.outcome}`, { platform: name })}>
        <Said verdict={app} name={name} />
        {app.outcome === 'refused' && <p>{t('check.refusedText')}</p>}
        {app.outcome === 'unknown' && <p>{t('check.unknownText')}</p>}
        {app.outcome !== 'refused' && redirect.outcome === 'unknown' && <p>{t('check.redirectUnknown')}</p>}
      </Notice>
      {redirect.outcome === 'refused' && (
        <Notice kind="problem" title={t('check.redirectRefused', { platform: name })}>
          <Said verdict={redirect} name={name} />
          <p>{t('check.redirectRefusedText')}</p>
        </Notice>
      )}
    </div>
  )
}

function Said({ verdict: { outcome, said }, name }: { verdict: Verdict; name: string }) {
  const { t } = useTranslation('platforms')
  if (said === null || outcome === 'accepted') return null
  return <p>{t('check.said', { platform: name, words: said })}</p>
}
