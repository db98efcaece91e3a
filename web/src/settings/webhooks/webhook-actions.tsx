import type { Webhook } from '@carillon/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** A new secret, and the end of the webhook. Both are asked about first. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspaceId } = useAccess()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const { mutate: rotate, isPending: isRotating } = useChange({
    run: () => carillon.webhooks.rotateSecret(webhook.id, { workspaceId }),
    affects: () => [],
    onDone: (changed) => {
      setAsked(null)
      setSecret(changed.secret)
    },
  })
  const { mutate: remove, isPending: isRemoving } = useChange({
    run: () => carillon.webhooks.remove(webhook.id, { workspaceId }),
    affects: () => [['webhooks.list', workspaceId]],
    done: () => ({ title: t('webhooks.removed') }),
    onDone: () =>
      void navigate({ to: '/w/$workspaceId/settings/$section', params: { workspaceId, section: 'webhooks' }, search: {} }),
  })
  const isRotate = asked === 'rotate'
  return (
    <SettingGroup
      title={t('webhooks.secretGroup')}
      description={t('webhooks.secretGroupText')}
      actions={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsked('rotate')}>{t('webhooks.rotate')}</Button>
          <Button onClick={() => setAsked('remove')}>{t('webhooks.remove')}</Button>
        </div>
      }
    >
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={isRotate ? t('webhooks.askRotate') : t('webhooks.askRemove')}
        description={isRotate ? t('webhooks.rotateConsequence') : t('webhooks.removeConsequence')}
        cancelLabel={shell('cancel')}
        confirmLabel={isRotate ? t('webhooks.rotate') : t('webhooks.remove')}
        isDangerous={!isRotate}
        isBusy={isRotating || isRemoving}
        onConfirm={() => (isRotate ? rotate(undefined) : remove(undefined))}
      />
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </SettingGroup>
  )
}
