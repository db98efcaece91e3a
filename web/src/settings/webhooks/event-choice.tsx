import type { EventName } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../ui/form/checkbox.tsx'

type EventChoiceProps = { events: readonly EventName[]; onChange: (events: readonly EventName[]) => void; disabled?: boolean }

/** Which events a webhook receives. The names are those of the API, because developers read them; what each means is below it. */
export function EventChoice({ events, onChange, disabled = false }: EventChoiceProps) {
  const { t } = useTranslation('settings')
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">{t('webhooks.eventsLabel')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {eventNames.map((name) => (
          <Checkbox
            key={name}
            label={name}
            note={t(`webhooks.about.${name}`)}
            checked={events.includes(name)}
            disabled={disabled}
            onChange={(isChosen) => onChange(isChosen ? [...events, name] : events.filter((each) => each !== name))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** `webhook.test` is sent by the test button only. */
type ChosenEvent = Exclude<EventName, 'webhook.test'>

/** The events that a webhook can ask for. */
const eventNames = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'upload.scheduled',
  'upload.publishing',
  'content.submitted',
  'content.approved',
  'content.changes_requested',
  'content.withdrawn',
  'content.commented',
  'content.approval_overdue',
  'channel.published',
  'channel.failed',
  'channel.unconfirmed',
  'connection.connected',
  'connection.expiring',
  'connection.needs_reconnect',
  'workspace.restored',
] as const satisfies readonly ChosenEvent[]

/** What is asked for at first: what most receivers need. */
export const eventsAtFirst: readonly EventName[] = ['upload.completed', 'upload.partial_failure', 'upload.failed']

/** What people in a chat want to know: what needs one of them. */
export const eventsOfChatAtFirst: readonly EventName[] = [
  'channel.failed',
  'channel.unconfirmed',
  'connection.expiring',
  'connection.needs_reconnect',
  'content.submitted',
]
