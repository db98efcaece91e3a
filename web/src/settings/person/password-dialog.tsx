import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CurrentPassword } from './current-password.tsx'

type PasswordDialogProps<Result> = {
  title: string
  text: string
  submit: string
  run: (password: string) => Promise<Result>
  onDone: (result: Result) => void
  onClose: () => void
}

/** Asks for the password before something that concerns the safety of the account. */
export function PasswordDialog<Result>({ title, text, submit, run, onDone, onClose }: PasswordDialogProps<Result>) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { onSubmit, isPending, error } = useSubmit(({ password = '' }) => run(password), onDone)
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={title} description={text} closeLabel={shell('close')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        <CurrentPassword name="password" label={t('password.yours')} />
        <Button type="submit" variant="primary" isBusy={isPending} className="self-end">
          {submit}
        </Button>
      </Form>
    </Dialog>
  )
}
