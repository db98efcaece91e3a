import type { EventName } from '@carillon/sdk'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { EventChoice } from './event-choice.tsx'
import type { ShownWebhook } from './webhook-list.tsx'

type Props = {
  webhook: ShownWebhook
  canChange: boolean
  save: (change: { url?: string; events?: EventName[]; active?: boolean }) => Promise<unknown>
  /** What is loaded again after a change. */
  affects: readonly QueryKey[]
}

/** The address of a webhook, its events, and whether it is active. */
export function WebhookForm({ webhook, canChange, save, affects }: Props) {
  const { t } = useTranslation('settings')
  const isChat = webhook.format !== undefined && webhook.format !== 'json'
  // The address of a chat is not shown, so an empty field keeps it.
  const [url, setUrl] = useState(isChat ? '' : webhook.url)
  const [events, setEvents] = useState<EventName[]>(webhook.events)
  const { mutate, isPending, error } = useChange({
    run: save,
    affects: () => affects,
    done: () => ({ title: t('saved') }),
    showsErrors: false,
  })
  return (
    <SettingGroup title={t('webhooks.details')}>
      {error && <ErrorNotice error={error} />}
      <Switch
        label={t('webhooks.activeLabel')}
        note={t('webhooks.activeNote')}
        checked={webhook.active}
        disabled={!canChange}
        onChange={(active) => mutate({ active })}
      />
      <Form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ ...(url.trim() !== '' && { url: url.trim() }), events })
        }}
      >
        <Field
          label={t('webhooks.url')}
          hint={isChat ? t('webhooks.chatKept') : canChange ? t('webhooks.urlHint') : t('webhooks.urlHidden')}
        >
          <Input
            type="url"
            required={!isChat}
            maxLength={2048}
            placeholder={webhook.url}
            value={url}
            disabled={!canChange}
            onValueChange={(next: string) => setUrl(next)}
          />
        </Field>
        <EventChoice events={events} disabled={!canChange} onChange={(next) => setEvents([...next])} />
        {canChange && (
          <Button type="submit" variant="primary" isBusy={isPending} disabled={events.length === 0} className="self-start">
            {t('save')}
          </Button>
        )}
      </Form>
    </SettingGroup>
  )
}
