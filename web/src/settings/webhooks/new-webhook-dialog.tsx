import type { EventName } from '@carillon/sdk'
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { actionsLook, Dialog } from '../../ui/overlay/dialog.tsx'
import { EventChoice, eventsAtFirst } from './event-choice.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type Props = {
  /** Stores it, for the workspace or for the account. */
  create: (webhook: { url: string; events: EventName[] }) => Promise<{ secret: string }>
  /** The list to which it is added. */
  listKey: QueryKey
  onClose: () => void
}

/** Registers a webhook and shows its secret once. */
export function NewWebhookDialog({ create, listKey, onClose }: Props) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const [events, setEvents] = useState<readonly EventName[]>(eventsAtFirst)
  const [made, setMade] = useState<{ secret: string } | null>(null)
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ url = '' }) => create({ url: url.trim(), events: [...events] }),
    (webhook) => {
      void queryClient.invalidateQueries({ queryKey: listKey })
      setMade(webhook)
    },
  )
  if (made) return <SecretDialog secret={made.secret} onClose={onClose} />
  return (
    <Dialog open size="md" onOpenChange={(isOpen) => !isOpen && onClose()} title={t('webhooks.add')} closeLabel={shell('close')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails={fieldErrors['url'] !== undefined} />}
        <Field label={t('webhooks.url')} hint={t('webhooks.urlHint')} error={fieldErrors['url']}>
          <Input name="url" type="url" required maxLength={2048} placeholder="https://" />
        </Field>
        <EventChoice events={events} onChange={setEvents} />
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={isPending} disabled={events.length === 0}>
            {t('webhooks.create')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
