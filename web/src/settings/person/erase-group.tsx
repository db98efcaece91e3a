import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account } from '../../api/account.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { actionsLook, Dialog } from '../../ui/overlay/dialog.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { CurrentPassword } from './current-password.tsx'

/** Erases the person's account. People without a password must have signed in a short time ago. */
export function EraseGroup({ needsPassword }: { needsPassword: boolean }) {
  const { t } = useTranslation('settings')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <SettingGroup
      title={t('erase.title')}
      description={t('erase.text')}
      actions={
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          {t('erase.open')}
        </Button>
      }
    >
      {isAsking && <EraseDialog needsPassword={needsPassword} onClose={() => setIsAsking(false)} />}
    </SettingGroup>
  )
}

function EraseDialog({ needsPassword, onClose }: { needsPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error } = useSubmit(
    ({ password }) => account.erase(password),
    () => {
      queryClient.clear()
      location.assign('/sign-in')
    },
  )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('erase.ask')}
      description={t('erase.consequence')}
      closeLabel={shell('close')}
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        {needsPassword && <CurrentPassword name="password" label={t('password.yours')} />}
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="danger" isBusy={isPending}>
            {t('erase.confirm')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
