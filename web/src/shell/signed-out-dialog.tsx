import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SignInForm } from '../people/sign-in-form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { noteSignedOut } from './signed-out.ts'

/** Asks to sign in again above the page, so that nothing that was typed is lost. */
export function SignedOutDialog() {
  const { t } = useTranslation('errors')
  const { t: words } = useTranslation('shell')
  const queryClient = useQueryClient()
  const goOn = async () => {
    noteSignedOut(false)
    await queryClient.invalidateQueries()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && noteSignedOut(false)}
      title={t('signedOut.title')}
      description={t('signedOut.sentence')}
      closeLabel={words('close')}
    >
      <SignInForm onSignedIn={() => void goOn()} />
    </Dialog>
  )
}
