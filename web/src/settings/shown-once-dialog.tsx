import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

type Props = { title: string; description: string; doneLabel: string; children: ReactNode; onClose: () => void }

/** Shows a secret that the server does not give out again. */
export function ShownOnceDialog({ title, description, doneLabel, children, onClose }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={description}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {doneLabel}
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}
