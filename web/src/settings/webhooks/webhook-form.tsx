import type { Webhook } from '@carillon/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { EventChoice } from './event-choice.tsx'

export function WebhookForm({ webhook, canChange }: { webhook: Webhook; canChange: boolean }) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const [url, setUrl] = useState(webhook.url)
  const [events, setEvents] = useState<Webhook['events']>(webhook.events)
  const { mutate, isPending, error } = useChange({
    run: (change: Partial<Pick<Webhook, 'url' | 'events' | 'active'>>) =>
      carillon.webhooks.update(webhook.id, change, { workspaceId }),
    affects: () => [
      ['webhooks.get', workspaceId, webhook.id],
      ['webhooks.list', workspaceId],
    ],
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
          mutate({ url: url.trim(), events })
        }}
      >
        <Field label={t('webhooks.url')} hint={canChange ? t('webhooks.urlHint') : t('webhooks.urlHidden')}>
          <Input
            type="url"
            required
            maxLength={2048}
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
