import { type ApiKey, CarillonError, type GrantableScope } from '@carillon/sdk'
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
import { RadioGroup } from '../ui/form/radio-group.tsx'
import { Select } from '../ui/form/select.tsx'
import { Notice } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { LimitPicker } from './limit-picker.tsx'
import { findUnfinished, isForDraftsOnly, limitsOf, noLimits, withDraftsOnly } from './posting-limits.ts'

const dayMs = 86_400_000
const lifetimes = ['never', '30', '90', '365'] as const
type Lifetime = (typeof lifetimes)[number]

/** Creates a key, then shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys')
  const [created, setCreated] = useState<ApiKey | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={created ? t('created.title', { label: created.label }) : t('create.title')}
      closeLabel={t('close')}
      size="md"
    >
      {created ? <CreatedKey apiKey={created} onClose={onClose} /> : <KeyForm onCreated={setCreated} onClose={onClose} />}
    </Dialog>
  )
}

function KeyForm({ onCreated, onClose }: { onCreated: (key: ApiKey) => void; onClose: () => void }) {
  const { t } = useTranslation('keys')
  const { id: workspaceId, name: workspace } = useWorkspace()
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly GrantableScope[] | null>(postScopes)
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [isWorkspaceOnly, setIsWorkspaceOnly] = useState(true)
  const [choices, setChoices] = useState(noLimits)
  const [isAgent, setIsAgent] = useState(false)
  const isDraftsOnly = isForDraftsOnly(scopes)
  const canWrite = scopes === null || scopes.includes('content:write') || isDraftsOnly
  const limits = canWrite ? limitsOf(choices, isDraftsOnly) : null
  const { mutate, isPending, error } = useChange({
    run: () =>
      carillon.workspaces.createApiKey(workspaceId, {
        label: label.trim(),
        workspaceOnly: isWorkspaceOnly || limits !== null,
        ...(limits && { limits }),
        ...(isAgent && { agent: true }),
        ...(scopes && { scopes: [...scopes] }),
        ...(lifetime !== 'never' && { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() }),
      }),
    affects: () => [['workspaces.apiKeys', workspaceId]],
    onDone: onCreated,
    showsErrors: false,
  })
  const lacksScope = scopes !== null && scopes.length === 0
  const isUnfinished = canWrite && findUnfinished(choices).some((name) => name === 'connections' || !isDraftsOnly)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!lacksScope && !isUnfinished) mutate()
  }
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-5">
      {error && <ErrorNotice error={error} />}
      <Field label={t('create.label')} hint={t('create.labelHint')} error={labelErrorOf(error)}>
        <Input value={label} onChange={(event) => setLabel(event.target.value)} required maxLength={100} autoComplete="off" />
      </Field>
      <Checkbox
        label={t('create.agent')}
        note={t('create.agentNote')}
        checked={isAgent}
        onChange={(isMarked) => {
          setIsAgent(isMarked)
          if (isMarked) setScopes(scopes && scopes.filter((each) => each !== manageScope))
        }}
      />
      <ScopePicker scopes={scopes} onChange={setScopes} isAgent={isAgent} />
      {canWrite && (
        <LimitPicker
          choices={choices}
          onChange={setChoices}
          isDraftsOnly={isDraftsOnly}
          onDraftsOnly={scopes === null ? undefined : (isOnly) => setScopes(withDraftsOnly(scopes, isOnly))}
        />
      )}
      <Field label={t('create.expiry')}>
        <Select
          options={lifetimes.map((value) => ({ value, label: t(`create.lifetimes.${value}`) }))}
          value={lifetime}
          onChange={setLifetime}
        />
      </Field>
      <Checkbox
        label={t('create.workspaceOnly', { workspace })}
        note={limits ? t('create.workspaceOnlyLimits') : t('create.workspaceOnlyNote')}
        checked={isWorkspaceOnly || limits !== null}
        disabled={limits !== null}
        onChange={setIsWorkspaceOnly}
      />
      <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isBusy={isPending} disabled={lacksScope || isUnfinished}>
          {t('create.submit')}
        </Button>
      </div>
    </Form>
  )
}

function labelErrorOf(error: unknown): string | undefined {
  return error instanceof CarillonError ? error.details.find(({ path }) => path === 'label')?.message : undefined
}

/** The complete key. The server has only its hash, so it cannot be shown again. */
function CreatedKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useTranslation('keys')
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="warning" title={t('created.once')}>
        {t('created.keep')}
      </Notice>
      <CopyText label={t('created.key')} text={apiKey.key ?? ''} copyLabel={t('copy')} copiedLabel={t('copied')} />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {t('created.close')}
        </Button>
      </div>
    </div>
  )
}

const subjects = ['content', 'media', 'analytics', 'ai', 'webhooks', 'workspaces'] as const

/** What most programs need. A key that may do everything is asked for, not given by default. */
const postScopes: readonly GrantableScope[] = ['content:read', 'content:write']

/** With it, an agent could make itself a key that no rule holds. */
const manageScope: GrantableScope = 'workspaces:write'

type ScopePickerProps = {
  /** Null: everything that its creator may do. */
  scopes: readonly GrantableScope[] | null
  onChange: (scopes: readonly GrantableScope[] | null) => void
  isAgent: boolean
}

/** What a key may do: everything, or reading and writing by subject. */
function ScopePicker({ scopes, onChange, isAgent }: ScopePickerProps) {
  const { t } = useTranslation('keys')
  const isDraftsOnly = isForDraftsOnly(scopes)
  /** Posts are written with one of two scopes, which are one choice here. */
  const scopeOf = (subject: (typeof subjects)[number], access: 'read' | 'write'): GrantableScope =>
    subject === 'content' && access === 'write' && isDraftsOnly ? 'content:draft' : `${subject}:${access}`
  const toggle = (scope: GrantableScope, isChosen: boolean) =>
    onChange(isChosen ? [...(scopes ?? []), scope] : (scopes ?? []).filter((each) => each !== scope))
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t('scopes.title')}</legend>
      <RadioGroup
        label={t('scopes.title')}
        value={scopes === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : postScopes)}
        choices={[
          { value: 'all', label: t('scopes.all'), note: isAgent ? t('scopes.allAgentNote') : t('scopes.allNote') },
          { value: 'some', label: t('scopes.some') },
        ]}
      />
      {scopes !== null && (
        <ul className="grid gap-x-4 gap-y-2 border-l border-line pl-4 sm:grid-cols-2">
          {subjects.flatMap((subject) =>
            (['read', 'write'] as const).map((access) => (
              <li key={`${subject}:${access}`}>
                <Checkbox
                  label={
                    scopeOf(subject, access) === 'content:draft' ? t('scopes.content.draft') : t(`scopes.${subject}.${access}`)
                  }
                  checked={scopes.includes(scopeOf(subject, access))}
                  disabled={isAgent && scopeOf(subject, access) === manageScope}
                  onChange={(isChosen) => toggle(scopeOf(subject, access), isChosen)}
                />
              </li>
            )),
          )}
          <li>
            <Checkbox
              label={t('scopes.invite')}
              checked={scopes.includes('connections:invite')}
              onChange={(isChosen) => toggle('connections:invite', isChosen)}
            />
          </li>
        </ul>
      )}
      {scopes?.length === 0 && <p className="text-sm font-medium text-rust">{t('scopes.none')}</p>}
    </fieldset>
  )
}
