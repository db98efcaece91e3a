import type { QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { SecretDialog } from './secret-dialog.tsx'
import type { WebhookPart } from './webhook-list.tsx'

type Props = {
  part: WebhookPart
  /** Absent where there is no secret. */
  rotate?: () => Promise<{ secret: string }>
  remove: () => Promise<unknown>
  removeConsequence: string
  /** The lists that are loaded again after the removal. */
  affects: readonly QueryKey[]
}

/** A new secret, and the end of the webhook. Both are asked about first. */
export function WebhookActions({ part, removeConsequence, affects, ...actions }: Props) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspaceId } = useAccess()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const { mutate: rotate, isPending: isRotating } = useChange({
    run: () => actions.rotate?.() ?? Promise.resolve({ secret: '' }),
    affects: () => [],
    onDone: (changed) => {
      setAsked(null)
      setSecret(changed.secret)
    },
  })
  const { mutate: remove, isPending: isRemoving } = useChange({
    run: actions.remove,
    affects: () => affects,
    done: () => ({ title: t('webhooks.removed') }),
    onDone: () => void navigate({ to: '/w/$workspaceId/settings/$section', params: { workspaceId, section: part }, search: {} }),
  })
  const isRotate = asked === 'rotate'
  return (
    <SettingGroup
      title={t(actions.rotate ? 'webhooks.secretGroup' : 'webhooks.chatGroup')}
      description={t(actions.rotate ? 'webhooks.secretGroupText' : 'webhooks.chatGroupText')}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions.rotate && <Button onClick={() => setAsked('rotate')}>{t('webhooks.rotate')}</Button>}
          <Button onClick={() => setAsked('remove')}>{t('webhooks.remove')}</Button>
        </div>
      }
    >
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={isRotate ? t('webhooks.askRotate') : t('webhooks.askRemove')}
        description={isRotate ? t('webhooks.rotateConsequence') : removeConsequence}
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
