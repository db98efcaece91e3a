import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { accountWebhooksList } from '../../api/queries.gen.ts'
import { MyWebhookDetails } from './my-webhook-details.tsx'
import { WebhookList } from './webhook-list.tsx'

/** The webhooks of the person's account, which receive the events of all their workspaces, or the one that the address names. */
export function MyWebhooksSection() {
  const { webhook } = useSearch({ strict: false })
  return webhook === undefined ? <MyList /> : <MyWebhookDetails webhookId={webhook} />
}

function MyList() {
  const { t } = useTranslation('settings')
  return (
    <WebhookList
      part="my-webhooks"
      query={useQuery(accountWebhooksList())}
      text={t('myWebhooks.text')}
      emptyHint={t('myWebhooks.emptyHint')}
      canAdd
      notes={({ workspaces, shutOut }) => ({
        inLine: t('myWebhooks.workspaces', { count: workspaces }),
        below: shutOut.length > 0 ? t('myWebhooks.shutOut', { names: shutOut.map(({ name }) => name).join(', ') }) : undefined,
      })}
      create={(webhook) => carillon.accountWebhooks.create(webhook)}
      listKey={['accountWebhooks.list']}
    />
  )
}
