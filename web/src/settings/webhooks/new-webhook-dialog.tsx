import { manifests } from '@carillon/connectors/manifests'
import { chatPlatforms } from '@carillon/core'
import type { EventName } from '@carillon/sdk'
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { actionsLook, Dialog } from '../../ui/overlay/dialog.tsx'
import { EventChoice, eventsAtFirst, eventsOfChatAtFirst } from './event-choice.tsx'
import { useAccess } from '../use-access.ts'
import { SecretDialog } from './secret-dialog.tsx'

type ChatPlatform = (typeof chatPlatforms)[number]
type Format = 'json' | ChatPlatform
type Made = { id: string; secret: string | null }

type Props = {
  /** Stores it, for the workspace or for the account. */
  create: (webhook: { url: string; events: EventName[]; format?: ChatPlatform }) => Promise<Made>
  /** The list to which it is added. */
  listKey: QueryKey
  /** Sends a test. Absent where a webhook cannot write to a chat. */
  test?: (id: string) => Promise<unknown>
  onClose: () => void
}

/** Registers a webhook and shows its secret once, or offers to try the chat that it writes to. */
export function NewWebhookDialog({ create, listKey, test, onClose }: Props) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const [format, setFormat] = useState<Format>('json')
  const [events, setEvents] = useState<readonly EventName[]>(eventsAtFirst)
  const [made, setMade] = useState<Made | null>(null)
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ url = '' }) => create({ url: url.trim(), events: [...events], ...(format !== 'json' && { format }) }),
    (webhook) => {
      void queryClient.invalidateQueries({ queryKey: listKey })
      setMade(webhook)
    },
  )
  if (made && made.secret !== null) return <SecretDialog secret={made.secret} onClose={onClose} />
  if (made && test) return <ChatDone sendTest={() => test(made.id)} onClose={onClose} />
  const choose = (next: Format) => {
    setFormat(next)
    setEvents(next === 'json' ? eventsAtFirst : eventsOfChatAtFirst)
  }
  const example = format === 'json' ? null : manifests[format].chat?.address
  return (
    <Dialog open size="md" onOpenChange={(isOpen) => !isOpen && onClose()} title={t('webhooks.add')} closeLabel={shell('close')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails={fieldErrors['url'] !== undefined} />}
        {test && (
          <Field label={t('webhooks.format')} hint={t('webhooks.formatNote')}>
            <Select<Format>
              value={format}
              onChange={choose}
              options={[
                { value: 'json', label: t('webhooks.formatJson') },
                ...chatPlatforms.map((value) => ({ value, label: manifests[value].name })),
              ]}
            />
          </Field>
        )}
        <Field
          label={t(example ? 'webhooks.chatUrl' : 'webhooks.url')}
          hint={example ? t('webhooks.chatUrlHint', { example }) : t('webhooks.urlHint')}
          error={fieldErrors['url']}
        >
          <Input name="url" type="url" required maxLength={2048} placeholder="https://" />
        </Field>
        {example && <ExampleLine />}
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

function ExampleLine() {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  return (
    <figure className="rounded-control border border-line bg-sunken p-3">
      <figcaption className="text-sm text-quiet">{t('webhooks.chatExample')}</figcaption>
      <p lang="en" className="mt-1 text-sm break-words whitespace-pre-line">
        {`${t('webhooks.chatExampleText')}\n${location.origin}/w/${workspaceId}/integrations`}
      </p>
    </figure>
  )
}

/** The chat is stored. Whether the address is right, only a line in it shows. */
function ChatDone({ sendTest, onClose }: { sendTest: () => Promise<unknown>; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { mutate, isPending } = useChange({
    run: sendTest,
    affects: () => [],
    done: () => ({ title: t('deliveries.testSent') }),
  })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('webhooks.chatDone')}
      description={t('webhooks.chatDoneText')}
      closeLabel={t('webhooks.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('webhooks.close')}</Button>
          <Button variant="primary" isBusy={isPending} onClick={() => mutate(undefined)}>
            {t('deliveries.test')}
          </Button>
        </>
      }
    />
  )
}
