import type { EventName } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { eventNames } from './event-names.ts'

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
