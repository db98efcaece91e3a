import { CarillonError } from '@carillon/sdk'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** Where links may send people afterwards. Only programs need it, so it is folded away. */
export function ReturnOrigins() {
  const { t } = useTranslation('connections')
  const { id: workspaceId, returnOrigins = [] } = useWorkspace()
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLElement>(null)
  useFocusAfterRemoval(returnOrigins.length, list)
  const { mutate, isPending, error, reset } = useChange({
    run: (next: string[]) => carillon.workspaces.update(workspaceId, { returnOrigins: next }),
    affects: () => [['workspaces.list'], ['workspaces.get', workspaceId]],
    done: () => ({ title: t('links.origins.saved') }),
    onDone: () => setTyped(''),
    showsErrors: false,
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') mutate([...returnOrigins, typed.trim()])
  }
  return (
    <details className="rounded-card border border-line bg-surface px-5 py-3 open:pb-5">
      <summary ref={list} className="min-h-8 cursor-pointer py-1 text-sm font-medium">
        {t('links.origins.title')} <span className="font-normal text-quiet">({returnOrigins.length})</span>
      </summary>
      <p className="mt-2 max-w-[68ch] text-sm text-quiet">{t('links.origins.intro')}</p>
      {returnOrigins.length > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-control border border-line">
          {returnOrigins.map((each) => (
            <li key={each} className="flex items-center gap-3 py-1 pr-1 pl-3">
              <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{each}</code>
              <IconButton
                label={t('links.origins.remove', { origin: each })}
                icon={<Trash2 aria-hidden />}
                disabled={isPending}
                onClick={() => mutate(returnOrigins.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
      )}
      <Form onSubmit={onSubmit} className="mt-4 flex flex-col gap-3 sm:flex-row sm:items-start">
        <Field label={t('links.origins.add')} isLabelHidden className="flex-1" error={messageOf(error)}>
          <Input
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              reset()
            }}
            placeholder="https://app.example.com"
            maxLength={300}
            autoComplete="off"
            inputMode="url"
          />
        </Field>
        <Button type="submit" isBusy={isPending}>
          {t('links.origins.allow')}
        </Button>
      </Form>
    </details>
  )
}

function messageOf(error: unknown): string | undefined {
  if (!(error instanceof CarillonError)) return undefined
  return error.details.map(({ message }) => message).join(' ') || error.message
}
