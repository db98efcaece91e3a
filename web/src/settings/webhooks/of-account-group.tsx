import type { Webhook } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'

type Props = { webhook: Webhook; account: NonNullable<Webhook['account']> }

/** The webhook of a member's account: whose it is, what it receives, and whether the workspace sends it anything. */
export function OfAccountGroup({ webhook, account }: Props) {
  const { t } = useTranslation('settings')
  const { workspaceId, isOwner } = useAccess()
  const { mutate } = useChange({
    run: (active: boolean) => carillon.webhooks.update(webhook.id, { active }, { workspaceId }),
    affects: () => [
      ['webhooks.get', workspaceId],
      ['webhooks.list', workspaceId],
    ],
    done: () => ({ title: t('saved') }),
  })
  return (
    <SettingGroup title={webhook.url} description={t('webhooks.ofAccountText', { name: account.name, email: account.email })}>
      <Switch
        label={t('webhooks.allowAccount', { name: account.name })}
        note={t('webhooks.allowAccountNote')}
        checked={!account.isShutOut}
        disabled={!isOwner}
        onChange={(active) => mutate(active)}
      />
      <p className="text-sm text-quiet">{webhook.events.join(', ')}</p>
    </SettingGroup>
  )
}
